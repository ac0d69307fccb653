/* Locked in one function and unlocked in another by a common caller; in between the order is turned round. */
#include <linux/mutex.h>

static DEFINE_MUTEX(journal_lock);
static DEFINE_MUTEX(inode_lock);
static int journal, inodes;

static int journal_begin(int blocks)
{
	mutex_lock(&journal_lock); /* DEADLOCK@a */
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
	mutex_lock(&inode_lock); /* DEADLOCK@a */
	inodes = number + handle;
	mutex_unlock(&inode_lock);
	journal_end();
	return 0; /* NOLEAK */
}

int inode_truncate(int number)
{
	mutex_lock(&inode_lock);
	journal_begin(number);
	inodes = 0;
	journal_end();
	mutex_unlock(&inode_lock);
	return 0;
}
