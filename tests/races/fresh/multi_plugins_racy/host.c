#include <pthread.h>
#include <stdio.h>
#include "plugin.h"

static const struct plugin *const plugins[] = { &clock_plugin, &meter_plugin };
static pthread_mutex_t io = PTHREAD_MUTEX_INITIALIZER;
static int logged;

void host_log(const char *who, int code)
{
	pthread_mutex_lock(&io);
	if (logged++ < 10)
		fprintf(stderr, "%s: %d\n", who, code);
	pthread_mutex_unlock(&io);
}

static void *bus(void *arg)
{
	int code;
	unsigned i;

	for (code = 0; code < 200; code++)
		for (i = 0; i < sizeof plugins / sizeof *plugins; i++)
			plugins[i]->event(code ^ (int)(long)arg);
	return NULL;
}

int main(void)
{
	pthread_t b[2];
	unsigned i;

	for (i = 0; i < 2; i++)
		if (plugins[i]->start() != 0)
			return 1;
	for (i = 0; i < 2; i++)
		pthread_create(&b[i], NULL, bus, (void *)(long)(i * 5));
	for (i = 0; i < 2; i++)
		pthread_join(b[i], NULL);
	return 0;
}
