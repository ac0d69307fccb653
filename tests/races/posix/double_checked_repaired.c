/* double_checked.c as it should be: the pointer is atomic. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings { int verbosity; };
static pthread_mutex_t settings_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct settings *) settings;

static struct settings *settings_get(void)
{
	struct settings *seen = atomic_load_explicit(&settings, memory_order_acquire); /* NORACE */
	if (seen)
		return seen;
	pthread_mutex_lock(&settings_lock);
	seen = atomic_load_explicit(&settings, memory_order_relaxed); /* NORACE */
	if (!seen) {
		seen = calloc(1, sizeof *seen);
		if (seen)
			seen->verbosity = 1; /* NORACE */
		atomic_store_explicit(&settings, seen, memory_order_release); /* NORACE */
	}
	pthread_mutex_unlock(&settings_lock);
	return seen;
}

static void *worker(void *argument)
{
	return settings_get() ? argument : NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
