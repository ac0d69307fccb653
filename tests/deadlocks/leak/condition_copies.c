// A lock is taken under a condition, and let go under the same in other words: a copy of it in a variable, what it is
// not, a comparison of its parts, a mask. None of these ways out keeps it, but where it is said.
#include <pthread.h>
#include <stdbool.h>

struct store {
	pthread_mutex_t lock, outer;
	int shared, mode, flags;
	long sum;
	struct store *peer;
};
enum { MODE_NONE, MODE_READ, MODE_WRITE };
#define FLAG_LOCKED 4

long store_copy(struct store *s, int threads)
{
	int locked = threads > 1;
	if (threads > 1)
		pthread_mutex_lock(&s->lock);
	long sum = s->sum++;
	if (locked)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return sum; /* NOLEAK */
}

long store_copy_other_way(struct store *s, int threads)
{
	bool locked = threads > 1;
	if (locked)
		pthread_mutex_lock(&s->lock);
	long sum = s->sum++;
	if (threads > 1)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return sum; /* NOLEAK */
}

long store_negation(struct store *s, bool alone)
{
	bool locks = !alone;
	if (!alone)
		pthread_mutex_lock(&s->lock);
	long sum = s->sum++;
	if (locks)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return sum; /* NOLEAK */
}

long store_comparison(struct store *s, int mode)
{
	bool writes = mode == MODE_WRITE;
	if (mode == MODE_WRITE)
		pthread_mutex_lock(&s->lock);
	s->sum++;
	if (writes)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return s->sum; /* NOLEAK */
}

long store_both(struct store *s, int mode, int threads)
{
	bool locks = mode == MODE_WRITE && threads > 1;
	if (locks)
		pthread_mutex_lock(&s->lock);
	s->sum++;
	if (mode == MODE_WRITE && threads > 1)
		pthread_mutex_unlock(&s->lock); /* TODO NOUNHELD: an answer to two questions is not followed */
	return s->sum; /* TODO NOLEAK: an answer to two questions is not followed */
}

long store_pointers(struct store *a, struct store *b)
{
	bool same = a == b;
	pthread_mutex_lock(&a->lock);
	if (a != b)
		pthread_mutex_lock(&b->outer);
	a->sum += b->sum;
	if (!same)
		pthread_mutex_unlock(&b->outer); /* NOUNHELD */
	pthread_mutex_unlock(&a->lock);
	return 0; /* NOLEAK */
}

long store_swapped(struct store *a, struct store *b)
{
	pthread_mutex_lock(&a->lock);
	if (a != b)
		pthread_mutex_lock(&b->outer);
	a->sum += b->sum;
	if (b != a)
		pthread_mutex_unlock(&b->outer); /* NOUNHELD */
	pthread_mutex_unlock(&a->lock);
	return 0; /* NOLEAK */
}

long store_mask(struct store *s, int flags)
{
	int wants = flags & FLAG_LOCKED;
	if (flags & FLAG_LOCKED)
		pthread_mutex_lock(&s->lock);
	s->sum++;
	if (wants)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return s->sum; /* NOLEAK */
}

long store_mask_other_way(struct store *s, int flags)
{
	bool wants = (flags & FLAG_LOCKED) != 0;
	if (wants)
		pthread_mutex_lock(&s->lock);
	s->sum++;
	if (flags & FLAG_LOCKED)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return s->sum; /* NOLEAK */
}

long store_peer(struct store *s)
{
	struct store *peer = s->peer;
	bool has = peer != NULL;
	if (has)
		pthread_mutex_lock(&peer->lock);
	s->sum++;
	if (peer)
		pthread_mutex_unlock(&peer->lock); /* NOUNHELD */
	return s->sum; /* NOLEAK */
}

long store_choice(struct store *s, int threads)
{
	int locked = threads > 1 ? 1 : 0;
	if (threads > 1)
		pthread_mutex_lock(&s->lock);
	s->sum++;
	if (locked == 1)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return s->sum; /* NOLEAK */
}

long store_wrong(struct store *s, int threads)
{
	int locked = threads > 1;
	if (threads > 1)
		pthread_mutex_lock(&s->lock);
	s->sum++;
	if (!locked)
		pthread_mutex_unlock(&s->lock); /* UNHELD */
	return s->sum;
}

long store_member(struct store *s)
{
	int locked = s->shared;
	if (s->shared)
		pthread_mutex_lock(&s->lock);
	s->sum++;
	if (locked)
		pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return s->sum; /* NOLEAK */
}

long store_limits(struct store *s, int n)
{
	if (n >= 8)
		pthread_mutex_lock(&s->lock);
	s->sum += n;
	if (n <= 7)
		return 0; /* NOLEAK */
	pthread_mutex_unlock(&s->lock); /* NOUNHELD */
	return s->sum; /* NOLEAK */
}

// The answer was true before, and is asked again: it is another one.
long store_changed(struct store *s)
{
	int was = s->mode == MODE_NONE;
	if (was) {
		pthread_mutex_lock(&s->lock);
		s->mode = MODE_WRITE;
	}
	s->sum++;
	if (s->mode == MODE_NONE)
		pthread_mutex_unlock(&s->lock); /* UNHELD */
	return s->sum; /* LEAK */
}
