/* gnulib's portable locks: each macro asks whether the program has threads at all. */
#include <pthread.h>
#include <stdlib.h>

int glthread_in_use(void);
typedef pthread_mutex_t gl_lock_t;
typedef pthread_rwlock_t gl_rwlock_t;
#define glthread_lock_lock(LOCK) (glthread_in_use() ? pthread_mutex_lock(LOCK) : 0)
#define glthread_lock_unlock(LOCK) (glthread_in_use() ? pthread_mutex_unlock(LOCK) : 0)
#define glthread_rwlock_wrlock(LOCK) (glthread_in_use() ? pthread_rwlock_wrlock(LOCK) : 0)
#define glthread_rwlock_unlock(LOCK) (glthread_in_use() ? pthread_rwlock_unlock(LOCK) : 0)
#define gl_lock_lock(NAME) do { if (glthread_lock_lock(&NAME)) abort(); } while (0)
#define gl_lock_unlock(NAME) do { if (glthread_lock_unlock(&NAME)) abort(); } while (0)
#define static_lock(LOCK) (__builtin_expect(glthread_lock_lock(LOCK), 0) ? -1 : 0)
#define static_unlock(LOCK) (__builtin_expect(glthread_lock_unlock(LOCK), 0) ? -1 : 0)

static gl_lock_t list_lock = PTHREAD_MUTEX_INITIALIZER, table_lock = PTHREAD_MUTEX_INITIALIZER;
static gl_rwlock_t config_lock = PTHREAD_RWLOCK_INITIALIZER;
static int listed, configured, entered, left;

static int list_add(int n)
{
	int ret = static_lock(&list_lock);
	if (ret < 0)
		return ret; /* NOLEAK */
	listed += n; /* NORACE */
	(void)static_unlock(&list_lock);
	left++; /* RACE */
	return 0;
}

static int configure(void)
{
	glthread_rwlock_wrlock(&config_lock);
	list_add(1); /* NODEADLOCK */
	configured++; /* NORACE */
	glthread_rwlock_unlock(&config_lock);
	list_add(2); /* NODOUBLE-LOCK */
	gl_lock_lock(table_lock);
	entered++; /* NORACE */
	gl_lock_unlock(table_lock);
	return 0;
}

static void *work(void *data)
{
	configure();
	return data;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
