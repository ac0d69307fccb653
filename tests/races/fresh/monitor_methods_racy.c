#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct monitor monitor;
struct monitor {
	pthread_mutex_t m;
	void (*enter)(monitor *self);
	void (*exit)(monitor *self);
};

static void monitor_enter(monitor *self) { pthread_mutex_lock(&self->m); }
static void monitor_exit(monitor *self) { pthread_mutex_unlock(&self->m); }

static void monitor_ctor(monitor *self)
{
	pthread_mutex_init(&self->m, NULL);
	self->enter = monitor_enter;
	self->exit = monitor_exit;
}

typedef struct {
	monitor base;
	int level, capacity;
} tank;

static tank t1;

static void tank_fill(tank *t, int n)
{
	t->base.enter(&t->base);
	t->level += n;
	if (t->level > t->capacity)
		t->level = t->capacity;
	t->base.exit(&t->base);
}

static int tank_draw(tank *t, int n)
{
	int got;
	got = t->level < n ? t->level : n; // RACE!
	t->level -= got;
	return got;
}

static void *pump(void *x)
{
	int i;
	for (i = 0; i < 300; i++)
		tank_fill(x, i % 5);
	return NULL;
}

static void *tap(void *x)
{
	int i, sum = 0;
	for (i = 0; i < 300; i++)
		sum += tank_draw(x, 3);
	printf("%d\n", sum);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	monitor_ctor(&t1.base);
	t1.capacity = 100;
	pthread_create(&a, NULL, pump, &t1);
	pthread_create(&b, NULL, tap, &t1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
