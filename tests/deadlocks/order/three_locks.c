/* A cycle of three, one order in each function. */
#include <linux/mutex.h>

struct user { struct mutex lock; int quota; };
struct volume { struct mutex lock; int used; };
struct journal { struct mutex lock; int entries; };

void user_charge(struct user *user, struct volume *volume)
{
	mutex_lock(&user->lock);
	mutex_lock(&volume->lock); /* DEADLOCK@a */
	volume->used += user->quota;
	mutex_unlock(&volume->lock);
	mutex_unlock(&user->lock);
}

void volume_sync(struct volume *volume, struct journal *journal)
{
	mutex_lock(&volume->lock);
	mutex_lock(&journal->lock); /* DEADLOCK@a */
	journal->entries += volume->used;
	mutex_unlock(&journal->lock);
	mutex_unlock(&volume->lock);
}

void journal_replay(struct journal *journal, struct user *user)
{
	mutex_lock(&journal->lock);
	while (journal->entries--) {
		mutex_lock(&user->lock); /* DEADLOCK@a */
		user->quota--;
		mutex_unlock(&user->lock);
	}
	mutex_unlock(&journal->lock);
}
