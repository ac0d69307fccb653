#include <pthread.h>
#include <stdlib.h>
#include "osal.h"

struct osal_mutex { pthread_mutex_t native; };
struct osal_task { pthread_t native; osal_entry_t fn; void *arg; const char *name; };

osal_mutex_t *osal_mutex_create(void)
{
	osal_mutex_t *m = malloc(sizeof(*m));

	if (m && pthread_mutex_init(&m->native, NULL) != 0) {
		free(m);
		m = NULL;
	}
	return m;
}

void osal_mutex_take(osal_mutex_t *m) { (void)pthread_mutex_lock(&m->native); }
void osal_mutex_give(osal_mutex_t *m) { (void)pthread_mutex_unlock(&m->native); }

static void *trampoline(void *p)
{
	osal_task_t *t = p;

	t->fn(t->arg);
	return NULL;
}

osal_task_t *osal_task_spawn(const char *name, osal_entry_t fn, void *arg)
{
	osal_task_t *t = calloc(1, sizeof(*t));

	t->name = name;
	t->fn = fn;
	t->arg = arg;
	if (pthread_create(&t->native, NULL, trampoline, t) != 0)
		abort();
	return t;
}

void osal_task_wait(osal_task_t *t)
{
	pthread_join(t->native, NULL);
	free(t);
}
