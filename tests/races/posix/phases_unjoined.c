/* One of two threads is joined; the other may still be at it when main looks. */
#include <pthread.h>

static int hot, cold;

static void *heater(void *argument)
{
	hot = 80; /* RACE@a */
	return argument;
}

static void *cooler(void *argument)
{
	cold = 4; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t heat, cool;
	int result;
	pthread_create(&heat, NULL, heater, NULL);
	pthread_create(&cool, NULL, cooler, NULL);
	pthread_join(cool, NULL);
	result = cold; /* NORACE */
	result += hot; /* RACE@a */
	pthread_join(heat, NULL);
	return result;
}
