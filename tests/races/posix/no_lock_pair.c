/* Nobody ever locks, but two threads provably run at once; a pair that only reads is none. */
#include <pthread.h>

static int temperature, target = 21, humidity;

static void *sensor(void *argument)
{
	temperature = 19; /* RACE@a */
	humidity = target * 2; /* NORACE */
	return argument;
}

static void *controller(void *argument)
{
	return temperature < target ? argument : NULL; /* RACE@a */
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, sensor, NULL);
	pthread_create(&b, NULL, controller, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return humidity; /* NORACE */
}
