/* A table that was found is returned locked; what was followed on the way is no error, whatever the caller asks. */
#include <linux/err.h>
#include <linux/mutex.h>

struct table { struct table *next; const char *name; int rows; };
static DEFINE_MUTEX(tables_lock);
static struct table *tables;

struct table *table_find(const char *name)
{
	struct table *t;
	mutex_lock(&tables_lock);
	for (t = tables; t; t = t->next)
		if (strcmp(t->name, name) == 0)
			return t; /* NOLEAK */
	mutex_unlock(&tables_lock);
	return ERR_PTR(-ENOENT); /* NOLEAK */
}

void table_done(void) { mutex_unlock(&tables_lock); }

int table_rows(const char *name)
{
	int rows;
	struct table *t = table_find(name);
	if (IS_ERR(t))
		return PTR_ERR(t); /* NOLEAK */
	rows = t->rows;
	table_done();
	return rows; /* NOLEAK */
}

int table_clear(const char *name)
{
	struct table *t = table_find(name);
	if (IS_ERR(t))
		return PTR_ERR(t); /* NOLEAK */
	if (!t->rows)
		return -EINVAL; /* LEAK */
	t->rows = 0;
	table_done();
	return 0; /* NOLEAK */
}
