/* Readers of spinning locks do not wait for each other, in any order, and nest; a writer can become a reader. */
#include <linux/rwsem.h>
#include <linux/spinlock.h>

static DEFINE_RWLOCK(names);
static DEFINE_RWLOCK(ids);
static DECLARE_RWSEM(table);
static int name_count, id_count;

static int name_total(void)
{
	int total;
	read_lock(&names); /* NODOUBLE-LOCK */
	total = name_count + id_count;
	read_unlock(&names);
	return total;
}

int name_look(void)
{
	int total;
	read_lock(&ids);
	read_lock(&names); /* NODEADLOCK */
	total = name_total();
	read_unlock(&names);
	read_unlock(&ids);
	return total;
}

int id_look(void)
{
	int total;
	read_lock(&names);
	read_lock(&ids); /* NODEADLOCK */
	total = id_count;
	read_unlock(&ids);
	read_unlock(&names);
	return total;
}

int table_grow(void)
{
	down_write(&table);
	id_count++;
	downgrade_write(&table);
	name_count = id_count;
	up_read(&table); /* NOUNHELD */
	return 0; /* NOLEAK */
}
