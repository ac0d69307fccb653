/* A helper starts whatever thread it is given. The poller runs once; the drainers are two. */
#include <pthread.h>

static int polled, drained;

static void *poller(void *argument)
{
	for (int i = 0; i < 100; i++)
		polled++; /* NORACE */
	return argument;
}

static void *drainer(void *argument)
{
	for (int i = 0; i < 100; i++)
		drained++; /* RACE */
	return argument;
}

static int start(pthread_t *thread, void *(*run)(void *))
{
	return pthread_create(thread, NULL, run, NULL);
}

static int start_named(pthread_t *thread, void *(*run)(void *), const char *name)
{
	return name ? start(thread, run) : -1;
}

int main(void)
{
	pthread_t one, two, three;
	start_named(&one, poller, "poller");
	start_named(&two, drainer, "drainer");
	start_named(&three, drainer, "drainer");
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	pthread_join(three, NULL);
	return polled + drained; /* NORACE */
}
