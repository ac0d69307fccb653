/* The real lock is behind an opaque pointer of the program's own lock type, and reached by a macro that checks the cast:
   a lock is the member that it is handed over by. */
#include <pthread.h>
#include <stdlib.h>

#define MUST(what) do { if (!(what)) abort(); } while (0)
#define IS(object, sort) do { MUST((object)->magic == (sort)); } while (0)
#define CAST(to, from, sort) \
	do { \
		(to) = (from); \
		MUST((to)); \
		IS((to), (sort)); \
		MUST((to)->magic != 0 || (to)->magic == (sort) || (to)->magic + 1 != (sort) || (to)->magic - 1 != (sort)); \
		MUST((to)->magic != 1 || (to)->magic == (sort) || (to)->magic + 2 != (sort) || (to)->magic - 2 != (sort)); \
	} while (0)

struct lock { void *inside; };
struct inside { int magic; pthread_mutex_t mutex; int held; };
struct session { struct lock lock; int requests; };
struct pool { struct lock lock; int threads; int sessions; };
static struct session session;
static struct pool pool;

static void lock_new(struct lock *lock)
{
	struct inside *inside = calloc(1, sizeof *inside);
	MUST(inside);
	inside->magic = 7;
	pthread_mutex_init(&inside->mutex, NULL);
	lock->inside = inside;
}

static void lock_take(struct lock *lock)
{
	struct inside *inside;
	CAST(inside, lock->inside, 7);
	pthread_mutex_lock(&inside->mutex);
	MUST(!inside->held);
	inside->held = 1; /* NORACE */
}

static void lock_give(struct lock *lock)
{
	struct inside *inside;
	CAST(inside, lock->inside, 7);
	MUST(inside->held);
	inside->held = 0; /* NORACE */
	pthread_mutex_unlock(&inside->mutex);
}

static void *serve(void *argument)
{
	lock_take(&session.lock);
	session.requests++; /* NORACE */
	pool.sessions++; /* RACE */
	lock_give(&session.lock);
	return argument;
}

static void *herd(void *argument)
{
	lock_take(&pool.lock);
	pool.threads++; /* NORACE */
	pool.sessions++; /* RACE */
	lock_give(&pool.lock);
	return argument;
}

static int count(struct session *any)
{
	int n;
	lock_take(&any->lock);
	n = any->requests; /* NORACE */
	lock_give(&any->lock);
	return n;
}

int main(void)
{
	pthread_t a, b, c;
	lock_new(&session.lock);
	lock_new(&pool.lock);
	pthread_create(&a, NULL, serve, NULL);
	pthread_create(&b, NULL, herd, NULL);
	pthread_create(&c, NULL, herd, NULL);
	count(&session);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
