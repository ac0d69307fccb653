/* three_locks.c with the user always first. */
#include <linux/mutex.h>

struct user { struct mutex lock; int quota; };
struct volume { struct mutex lock; int used; };
struct journal { struct mutex lock; int entries; };

void user_charge(struct user *user, struct volume *volume)
{
	mutex_lock(&user->lock);
	mutex_lock(&volume->lock); /* NODEADLOCK */
	volume->used += user->quota;
	mutex_unlock(&volume->lock);
	mutex_unlock(&user->lock);
}

void volume_sync(struct volume *volume, struct journal *journal)
{
	mutex_lock(&volume->lock);
	mutex_lock(&journal->lock); /* NODEADLOCK */
	journal->entries += volume->used;
	mutex_unlock(&journal->lock);
	mutex_unlock(&volume->lock);
}

void journal_replay(struct journal *journal, struct user *user)
{
	mutex_lock(&user->lock);
	mutex_lock(&journal->lock); /* NODEADLOCK */
	while (journal->entries--)
		user->quota--;
	mutex_unlock(&journal->lock);
	mutex_unlock(&user->lock);
}
