/* A lock of the program's own that keeps who has it, and asks to stop him: it cannot be taken twice. */
#include <pthread.h>
#include <stdlib.h>

struct stopping { pthread_mutex_t mutex; pthread_t owner; };

static void stopping_lock(struct stopping *lock)
{
	if (pthread_equal(lock->owner, pthread_self()))
		abort();
	pthread_mutex_lock(&lock->mutex);
	lock->owner = pthread_self();
}

static void stopping_unlock(struct stopping *lock)
{
	lock->owner = 0;
	pthread_mutex_unlock(&lock->mutex);
}

static struct stopping table;
static int rows;

static void add_row(void)
{
	stopping_lock(&table); /* DOUBLE-LOCK */
	rows++;
	stopping_unlock(&table);
}

static void *work(void *data)
{
	stopping_lock(&table); /* DOUBLE-LOCK */
	add_row();
	stopping_unlock(&table);
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
