/* Readers keep writers out: two of them that want to write wait for each other. And a reader cannot become a writer. */
#include <linux/rwsem.h>
#include <linux/spinlock.h>

static DEFINE_RWLOCK(names);
static DEFINE_RWLOCK(ids);
static DECLARE_RWSEM(table);
static int name_count, id_count;

void name_add(void)
{
	read_lock(&ids);
	write_lock(&names); /* DEADLOCK@a */
	name_count = id_count;
	write_unlock(&names);
	read_unlock(&ids);
}

void id_add(void)
{
	read_lock(&names);
	write_lock(&ids); /* DEADLOCK@a */
	id_count = name_count;
	write_unlock(&ids);
	read_unlock(&names);
}

int table_grow(void)
{
	down_read(&table);
	if (id_count > 8) {
		down_write(&table); /* DOUBLE-LOCK */
		id_count = 0;
		up_write(&table);
	}
	up_read(&table);
	return 0;
}
