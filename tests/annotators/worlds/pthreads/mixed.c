/* POSIX and C11 threads side by side: the less common of their functions. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t map_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static mtx_t plain, nested;
static cnd_t changed;
static sem_t slots;
static once_flag made = ONCE_FLAG_INIT;
static thread_local int mine;
static int total, queued, mapped, looked, spun, counted, level, ready, table, alarms, left;

static void make_table(void)
{
	table = 1; /* NORACE */
}

static void nest(int n)
{
	mtx_lock(&nested);
	level = n; /* NORACE */
	if (n)
		nest(n - 1); /* NODOUBLE-LOCK */
	mtx_unlock(&nested);
}

static int map_use(void)
{
	struct timespec soon = {0};
	int n = 0;
	pthread_rwlock_rdlock(&map_lock);
	n = mapped; /* NORACE */
	looked++; /* RACE */
	pthread_rwlock_unlock(&map_lock);
	if (pthread_rwlock_timedwrlock(&map_lock, &soon))
		return n; /* NOLEAK */
	mapped++; /* NORACE */
	pthread_rwlock_unlock(&map_lock);
	return n;
}

static void *posix_thread(void *data)
{
	struct timespec soon = {0};
	(void)data;
	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second); /* DEADLOCK@orders */
	total++;
	pthread_mutex_unlock(&second);
	while (!queued)
		pthread_cond_timedwait(&filled, &first, &soon);
	queued--; /* NORACE */
	pthread_mutex_unlock(&first);
	pthread_spin_lock(&spin);
	spun++; /* NORACE */
	pthread_spin_unlock(&spin);
	if (sem_trywait(&slots) == 0) {
		counted++; /* NORACE */
		sem_post(&slots);
	}
	call_once(&made, make_table);
	map_use();
	mine++; /* NORACE */
	left++; /* RACE@left */
	return NULL;
}

static int c11_thread(void *data)
{
	(void)data;
	pthread_mutex_lock(&second);
	if (pthread_mutex_trylock(&first) == 0) { /* NODEADLOCK */
		queued++; /* NORACE */
		pthread_mutex_unlock(&first);
	}
	pthread_mutex_lock(&first); /* DEADLOCK@orders */
	total--;
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	if (pthread_spin_trylock(&spin) == 0) {
		spun = 0; /* NORACE */
		pthread_spin_unlock(&spin);
	}
	sem_wait(&slots);
	counted--; /* NORACE */
	sem_post(&slots);
	mtx_lock(&plain);
	while (!ready)
		cnd_wait(&changed, &plain);
	ready = 0; /* NORACE */
	mtx_unlock(&plain);
	nest(3);
	call_once(&made, make_table);
	map_use();
	mine--; /* NORACE */
	left = 0; /* RACE@left */
	return thrd_success;
}

static void on_timer(union sigval value)
{
	(void)value;
	if (mtx_trylock(&plain) != thrd_success)
		return;
	ready = 1; /* NORACE */
	alarms++;
	cnd_signal(&changed);
	mtx_unlock(&plain);
}

int main(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_timer };
	timer_t timer;
	pthread_t a;
	thrd_t b, c;

	mtx_init(&plain, mtx_plain);
	mtx_init(&nested, mtx_plain | mtx_recursive);
	sem_init(&slots, 0, 1);
	timer_create(CLOCK_REALTIME, &event, &timer);
	left = total = 0; /* NORACE */
	pthread_create(&a, NULL, posix_thread, NULL);
	thrd_create(&b, c11_thread, NULL);
	thrd_create(&c, c11_thread, NULL);
	pthread_join(a, NULL);
	thrd_join(b, NULL);
	thrd_join(c, NULL);
	left = 0; /* NORACE */
	return 0;
}
