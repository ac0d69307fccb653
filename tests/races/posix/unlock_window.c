/* The lock is let go in the middle, for something slow; what is touched in the window is outside. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t cart_lock = PTHREAD_MUTEX_INITIALIZER;
static int items, price, pending;

static void *checkout(void *argument)
{
	pthread_mutex_lock(&cart_lock);
	items++; /* NORACE */
	pthread_mutex_unlock(&cart_lock);
	usleep(10);
	pending++; /* RACE */
	pthread_mutex_lock(&cart_lock);
	price += items; /* NORACE */
	pthread_mutex_unlock(&cart_lock);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, checkout, NULL);
	pthread_create(&threads[1], NULL, checkout, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return price; /* NORACE */
}
