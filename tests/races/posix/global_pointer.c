/* A configuration is replaced while others read it: the pointer under the lock, or not. */
#include <pthread.h>
#include <stdlib.h>

struct config { int port, timeout; };
static pthread_mutex_t config_lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *config, *fallback;

static void *reload(void *argument)
{
	struct config *fresh = malloc(sizeof *fresh), *spare = malloc(sizeof *spare);
	if (!fresh || !spare)
		return NULL;
	fresh->port = 80; /* NORACE */
	fresh->timeout = 10; /* NORACE */
	spare->port = 8080; /* NORACE */
	pthread_mutex_lock(&config_lock);
	config = fresh; /* NORACE */
	pthread_mutex_unlock(&config_lock);
	fallback = spare; /* RACE@a */
	return argument;
}

static void *serve(void *argument)
{
	int port = 0;
	pthread_mutex_lock(&config_lock);
	if (config) /* NORACE */
		port = config->port; /* NORACE */
	if (fallback) /* RACE@a */
		port++;
	pthread_mutex_unlock(&config_lock);
	return port ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, reload, NULL);
	pthread_create(&b, NULL, serve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
