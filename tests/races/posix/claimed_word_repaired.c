/* Locks that the program makes itself, of atomic operations. */
#include <pthread.h>
#include <stdatomic.h>

static volatile int word;
static int owner;
static atomic_int taken;
static long by_word, by_owner, by_taken;

static void word_lock(volatile int *at)
{
	while (__sync_lock_test_and_set(at, 1))
		while (*at) /* NORACE */
			;
}
static void word_unlock(volatile int *at) { __sync_lock_release(at); }

static void owner_lock(void)
{
	while (!__sync_bool_compare_and_swap(&owner, 0, 1))
		;
}
static void owner_unlock(void) { __atomic_store_n(&owner, 0, __ATOMIC_RELEASE); }

static int try_take(void)
{
	int free = 0;
	return atomic_compare_exchange_strong(&taken, &free, 1);
}

static void *work(void *unused)
{
	int i;
	for (i = 0; i < 100; i++) {
		word_lock(&word);
		by_word++; /* NORACE */
		word_unlock(&word);
		owner_lock();
		by_owner++; /* NORACE */
		owner_unlock();
		if (try_take()) {
			by_taken++; /* NORACE */
			atomic_store(&taken, 0);
		}
	}
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return (int)(by_word + by_owner + by_taken);
}
