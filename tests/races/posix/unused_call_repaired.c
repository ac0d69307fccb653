// racerx-verdict: shown
/* A library without a main. store_wipe() writes without the lock, but nobody calls it any more. */
#include <pthread.h>

struct store { pthread_mutex_t guard; int used; const struct store_calls *calls; };
struct store_calls { void (*put)(struct store *); void (*wipe)(struct store *); };

static void store_put(struct store *store)
{
	pthread_mutex_lock(&store->guard);
	store->used++;
	pthread_mutex_unlock(&store->guard);
}

static void store_wipe(struct store *store)
{
	store->used = 0; /* NORACE */
	pthread_mutex_lock(&store->guard);
	store->calls = 0;
	pthread_mutex_unlock(&store->guard);
}

const struct store_calls plain_calls = { store_put, store_wipe };

void library_add(struct store *store) { store->calls->put(store); }

int library_used(struct store *store)
{
	pthread_mutex_lock(&store->guard);
	int used = store->used;
	pthread_mutex_unlock(&store->guard);
	return used;
}

void library_take(struct store *store)
{
	pthread_mutex_lock(&store->guard);
	store->used--;
	pthread_mutex_unlock(&store->guard);
}

int library_full(struct store *store)
{
	pthread_mutex_lock(&store->guard);
	int full = store->used > 99;
	pthread_mutex_unlock(&store->guard);
	return full;
}

