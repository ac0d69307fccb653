#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct service {
	const char *name;
	void (*step)(struct service *);
	int rounds;
	pthread_t tid;
} service;

static int shared_load;
static pthread_mutex_t load_mx = PTHREAD_MUTEX_INITIALIZER;

static void *service_main(void *p)
{
	service *s = p;
	while (s->rounds-- > 0)
		s->step(s);
	return NULL;
}

static void service_start(service *s)
{
	if (pthread_create(&s->tid, NULL, service_main, s)) {
		fprintf(stderr, "%s: cannot start\n", s->name);
		abort();
	}
}

static void heavy_step(service *s)
{
	(void)s;
	pthread_mutex_lock(&load_mx);
	shared_load += 10;
	pthread_mutex_unlock(&load_mx);
}

static void light_step(service *s)
{
	(void)s;
	pthread_mutex_lock(&load_mx);
	if (shared_load > 0) // NORACE
		shared_load--; // NORACE
	pthread_mutex_unlock(&load_mx);
}

static service services[] = {
	{ .name = "heavy", .step = heavy_step, .rounds = 300 },
	{ .name = "light", .step = light_step, .rounds = 900 },
};

int main(void)
{
	size_t i, n = sizeof services / sizeof *services;
	for (i = 0; i < n; i++)
		service_start(&services[i]);
	for (i = 0; i < n; i++)
		pthread_join(services[i].tid, NULL);
	printf("%d\n", shared_load);
	return 0;
}
