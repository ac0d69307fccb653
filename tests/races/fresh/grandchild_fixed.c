#include <pthread.h>
#include <stdio.h>

static int config_value;
static int derived;

static void *grandchild(void *arg)
{
	derived = config_value * 2; // NORACE
	return arg;
}

static void *child(void *arg)
{
	pthread_t g;

	config_value = 21;
	pthread_create(&g, NULL, grandchild, NULL);
	pthread_join(g, NULL);
	config_value++;
	return arg;
}

int main(void)
{
	pthread_t c;

	pthread_create(&c, NULL, child, NULL);
	pthread_join(c, NULL);
	printf("%d %d\n", config_value, derived);
	return 0;
}
