/* Lock functions of the program's own. One user calls unlock too soon. */
#include <pthread.h>
#include <stdlib.h>

struct guarded { pthread_mutex_t mutex; int value, reads; };
static struct guarded thermostat = { PTHREAD_MUTEX_INITIALIZER, 20, 0 };

static void guarded_lock(struct guarded *self)
{
	if (pthread_mutex_lock(&self->mutex))
		abort();
}

static void guarded_unlock(struct guarded *self)
{
	pthread_mutex_unlock(&self->mutex);
}

static void *warmer(void *argument)
{
	guarded_lock(&thermostat);
	thermostat.value++; /* NORACE */
	thermostat.reads++; /* RACE@a */
	guarded_unlock(&thermostat);
	return argument;
}

static void *display(void *argument)
{
	int value;
	guarded_lock(&thermostat);
	value = thermostat.value; /* NORACE */
	guarded_unlock(&thermostat);
	thermostat.reads++; /* RACE@a */
	return value ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, warmer, NULL);
	pthread_create(&b, NULL, display, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
