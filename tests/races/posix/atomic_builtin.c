/* The compiler's atomics make an access atomic, not the object: a plain read beside them still races. */
#include <pthread.h>

static int sent, received, peak;

static void *sender(void *argument)
{
	__sync_fetch_and_add(&sent, 1); /* NORACE */
	__atomic_add_fetch(&received, 1, __ATOMIC_RELAXED); /* NORACE */
	__atomic_store_n(&peak, 7, __ATOMIC_RELEASE); /* RACE@a */
	return argument;
}

int main(void)
{
	pthread_t thread;
	int result;
	pthread_create(&thread, NULL, sender, NULL);
	result = __sync_fetch_and_add(&sent, 0); /* NORACE */
	result += __atomic_load_n(&received, __ATOMIC_ACQUIRE); /* NORACE */
	peak = result; /* RACE@a */
	pthread_join(thread, NULL);
	return result + sent; /* NORACE */
}
