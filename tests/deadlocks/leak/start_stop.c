/* Locked in one function and unlocked in another, both called through a table: no leak, nothing unheld. */
#include <linux/mutex.h>
#include <linux/seq_file.h>

static DEFINE_MUTEX(table_lock);
static int table[16];

static void *table_start(struct seq_file *file, loff_t *position)
{
	mutex_lock(&table_lock);
	return *position < 16 ? &table[*position] : NULL; /* NOLEAK */
}
static void *table_next(struct seq_file *file, void *at, loff_t *position)
{
	++*position;
	return *position < 16 ? &table[*position] : NULL;
}
static void table_stop(struct seq_file *file, void *at)
{
	mutex_unlock(&table_lock); /* NOUNHELD */
}
static int table_show(struct seq_file *file, void *at)
{
	seq_printf(file, "%d\n", *(int *)at);
	return 0;
}
static const struct seq_operations table_operations = {
	.start = table_start, .next = table_next, .stop = table_stop, .show = table_show,
};
int table_open(struct inode *inode, struct file *file) { return seq_open(file, &table_operations); }
