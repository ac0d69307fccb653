/* Two objects of one type, one after the other, and a pointer that means another object by now. */
#include <linux/spinlock.h>

struct peer { spinlock_t lock; int sent; struct peer *next, *parent; };
struct bucket { spinlock_t lock; int count; };
static struct bucket buckets[64];

void peer_move(struct peer *from, struct peer *to)
{
	if (from == to)
		return;
	spin_lock(&from->lock);
	from->sent--;
	spin_unlock(&from->lock);
	spin_lock(&to->lock);
	to->sent++;
	spin_unlock(&to->lock);
}

void peer_child(struct peer *peer)
{
	spin_lock(&peer->parent->lock);
	spin_lock(&peer->lock); /* NODOUBLE-LOCK */
	peer->sent = peer->parent->sent;
	spin_unlock(&peer->lock);
	spin_unlock(&peer->parent->lock);
}

void bucket_move(unsigned int i, unsigned int j)
{
	spin_lock(&buckets[i].lock);
	spin_lock_nested(&buckets[j].lock, 1); /* NODOUBLE-LOCK */
	buckets[j].count += buckets[i].count;
	spin_unlock(&buckets[j].lock);
	spin_unlock(&buckets[i].lock);
}

void peers_all(struct peer *peer)
{
	for (; peer; peer = peer->next) {
		spin_lock(&peer->lock); /* NODOUBLE-LOCK */
		peer->sent = 0;
		spin_unlock(&peer->lock);
	}
}
