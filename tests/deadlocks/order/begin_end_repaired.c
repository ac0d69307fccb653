/* begin_end.c with the journal begun first. */
#include <linux/mutex.h>

static DEFINE_MUTEX(journal_lock);
static DEFINE_MUTEX(inode_lock);
static int journal, inodes;

static int journal_begin(int blocks)
{
	mutex_lock(&journal_lock); /* NODEADLOCK */
	journal += blocks;
	return journal; /* NOLEAK */
}
static void journal_end(void)
{
	journal = 0;
	mutex_unlock(&journal_lock); /* NOUNHELD */
}

int inode_write(int number)
{
	int handle = journal_begin(2);
	mutex_lock(&inode_lock); /* NODEADLOCK */
	inodes = number + handle;
	mutex_unlock(&inode_lock);
	journal_end();
	return 0;
}

int inode_truncate(int number)
{
	int handle = journal_begin(number);
	mutex_lock(&inode_lock);
	inodes = handle;
	mutex_unlock(&inode_lock);
	journal_end();
	return 0;
}
