/* The peer may be missing where it is asked for again, and then its lock is not let go. */
#include <linux/spinlock.h>

struct peer { spinlock_t lock; int state, uses; };
struct peer *peer_find(int id);
struct peer *peer_next(struct peer *peer);
void peer_put(struct peer *peer);

int peer_connect(int id, int wanted)
{
	struct peer *peer = peer_find(id);
	int error = 0;
	spin_lock(&peer->lock);
	if (wanted > 2) {
		spin_unlock(&peer->lock);
		peer = peer_next(peer);
		spin_lock(&peer->lock);
	}
	if (wanted < 0)
		error = -EINVAL;
	if (peer)
		spin_unlock(&peer->lock);
	if (peer)
		peer_put(peer);
	return error; /* LEAK */
}
