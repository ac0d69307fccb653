/* The lock of the same object again: in the same function, below a call, through another name, by an index. */
#include <linux/spinlock.h>

struct peer { spinlock_t lock; int sent; };
struct bucket { spinlock_t lock; int count; };
static DEFINE_SPINLOCK(peers_lock);
static struct bucket buckets[64];
static int peers;

static void peers_count(void)
{
	spin_lock(&peers_lock); /* DOUBLE-LOCK */
	peers++;
	spin_unlock(&peers_lock);
}

void peers_add(void)
{
	spin_lock(&peers_lock);
	peers_count();
	spin_unlock(&peers_lock);
}

void peer_send(struct peer *peer)
{
	spinlock_t *lock = &peer->lock;
	spin_lock(lock);
	peer->sent++;
	spin_lock(&peer->lock); /* DOUBLE-LOCK */
	peer->sent++;
	spin_unlock(&peer->lock);
}

void bucket_add(unsigned int i)
{
	spin_lock(&buckets[i].lock);
	if (buckets[i].count > 8)
		spin_lock(&buckets[i].lock); /* DOUBLE-LOCK */
	buckets[i].count++;
	spin_unlock(&buckets[i].lock);
}
