/* wrong_lock.c where each counter keeps to its lock. */
#include <pthread.h>

static pthread_mutex_t input_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned bytes_in, bytes_out;

static void *receiver(void *argument)
{
	pthread_mutex_lock(&input_lock);
	bytes_in += 512; /* NORACE */
	pthread_mutex_unlock(&input_lock);
	pthread_mutex_lock(&output_lock);
	bytes_out -= 512; /* NORACE */
	pthread_mutex_unlock(&output_lock);
	return argument;
}

static void *sender(void *argument)
{
	pthread_mutex_lock(&output_lock);
	pthread_mutex_lock(&input_lock);
	bytes_out += bytes_in; /* NORACE */
	bytes_in = 0; /* NORACE */
	pthread_mutex_unlock(&input_lock);
	pthread_mutex_unlock(&output_lock);
	return argument;
}

int main(void)
{
	pthread_t in, out;
	pthread_create(&in, NULL, receiver, NULL);
	pthread_create(&out, NULL, sender, NULL);
	pthread_join(in, NULL);
	pthread_join(out, NULL);
	return 0;
}
