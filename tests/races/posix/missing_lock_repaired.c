/* missing_lock.c with the clerk inside the lock. */
#include <pthread.h>

static pthread_mutex_t ledger_lock = PTHREAD_MUTEX_INITIALIZER;
static long balance;

static void *teller(void *argument)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&ledger_lock);
		balance += i; /* NORACE */
		pthread_mutex_unlock(&ledger_lock);
	}
	return argument;
}

static void *close_of_day(void *argument)
{
	pthread_mutex_lock(&ledger_lock);
	balance = 0; /* NORACE */
	pthread_mutex_unlock(&ledger_lock);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, teller, NULL);
	pthread_create(&threads[1], NULL, close_of_day, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return balance != 0; /* NORACE */
}
