/* The end of the transfer lets the lock of the buffer go, and it is waited for on every way. */
#include <linux/buffer_head.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(commits_lock);
struct journal { struct buffer_head *head; int commits, dead, failed; };

int journal_commit(struct journal *journal)
{
	lock_buffer(journal->head);
	if (!buffer_mapped(journal->head)) {
		unlock_buffer(journal->head);
		return -EIO;
	}
	if (journal->dead) {
		unlock_buffer(journal->head);
		return -EROFS;
	}
	journal->head->b_end_io = end_buffer_write_sync;
	submit_bh(REQ_OP_WRITE, journal->head);
	wait_on_buffer(journal->head);
	if (journal->failed)
		return -EIO;
	spin_lock(&commits_lock);
	journal->commits++;
	spin_unlock(&commits_lock);
	return 0;
}
