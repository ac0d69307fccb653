/* A sale goes to one of the tills on the heap; its lock is chosen with it. The day's sum has no till of its own, and
   refunds take the other till's lock. */
#include <pthread.h>
#include <stdlib.h>

struct till { unsigned sales, refunds; pthread_mutex_t lock; };
static struct till *front, *back;
static unsigned day;

static void sell(int many)
{
	struct till *till;
	pthread_mutex_t *lock;
	if (many) {
		till = back;
		lock = &back->lock;
	} else {
		till = front;
		lock = &front->lock;
	}
	pthread_mutex_lock(lock);
	till->sales++; /* NORACE */
	day++; /* RACE */
	pthread_mutex_unlock(lock);
}

static void refund(int many)
{
	struct till *till;
	pthread_mutex_t *lock;
	if (many) {
		till = back;
		lock = &front->lock;
	} else {
		till = front;
		lock = &back->lock;
	}
	pthread_mutex_lock(lock);
	till->refunds++; /* RACE */
	pthread_mutex_unlock(lock);
}

static void *clerk(void *argument)
{
	for (int i = 0; i < 100; i++) {
		sell(argument != NULL);
		refund(argument != NULL);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	front = calloc(1, sizeof *front);
	back = calloc(1, sizeof *back);
	pthread_mutex_init(&front->lock, NULL);
	pthread_mutex_init(&back->lock, NULL);
	pthread_create(&a, NULL, clerk, NULL);
	pthread_create(&b, NULL, clerk, &day);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
