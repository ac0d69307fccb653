/* Two threads come to one place by different ways. They share a lock. */
#include <pthread.h>

static pthread_mutex_t in_lock = PTHREAD_MUTEX_INITIALIZER;
static int packets;

static void count(void)
{
	packets++; // NORACE
}

static void *receiver(void *argument)
{
	pthread_mutex_lock(&in_lock);
	count();
	pthread_mutex_unlock(&in_lock);
	return argument;
}

static void *sender(void *argument)
{
	pthread_mutex_lock(&in_lock);
	count();
	pthread_mutex_unlock(&in_lock);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, receiver, NULL);
	pthread_create(&b, NULL, sender, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return packets;
}
