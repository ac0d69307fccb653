/* The present configuration is found under the lock and used after; who reloads frees it. */
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>

struct config { int port; char *banner; int users; };
static pthread_rwlock_t config_lock = PTHREAD_RWLOCK_INITIALIZER;
static struct config *current;
extern struct config *config_load(void);

static void config_free(struct config *config)
{
	free(config->banner);
	free(config);
}

static void *reload(void *unused)
{
	struct config *fresh = config_load(), *old;

	(void)unused;
	pthread_rwlock_wrlock(&config_lock);
	old = current;
	current = fresh;
	config_free(old);
	pthread_rwlock_unlock(&config_lock);
	return NULL;
}

static void *serve(void *unused)
{
	struct config *config;

	(void)unused;
	pthread_rwlock_rdlock(&config_lock);
	config = current;
	pthread_rwlock_unlock(&config_lock);
	printf("%s\n", config->banner); /* ESCAPED */
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	current = config_load();
	pthread_create(&a, NULL, serve, NULL);
	pthread_create(&b, NULL, reload, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
