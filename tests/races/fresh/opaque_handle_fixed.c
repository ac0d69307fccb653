#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint32_t hnd_t;

struct obj { int live; int value; };

static struct obj table[32];
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) { pthread_mutex_lock(&big); }
static void leave(void) { pthread_mutex_unlock(&big); }

static struct obj *deref(hnd_t h)
{
	return h < 32 && table[h].live ? &table[h] : NULL; // NORACE
}

hnd_t obj_new(int v)
{
	hnd_t h;
	enter();
	for (h = 0; h < 32; h++)
		if (!table[h].live) {
			table[h].live = 1;
			table[h].value = v;
			break;
		}
	leave();
	return h;
}

int obj_set(hnd_t h, int v)
{
	struct obj *o;
	int rc = -1;

	enter();
	o = deref(h);
	if (o) {
		o->value = v; // NORACE
		rc = 0;
	}
	leave();
	return rc;
}

int obj_get(hnd_t h)
{
	struct obj *o;
	int v = 0;
	enter();
	o = deref(h);
	if (o)
		v = o->value;
	leave();
	return v;
}

void obj_del(hnd_t h)
{
	struct obj *o;
	enter();
	o = deref(h);
	if (o)
		o->live = 0;
	leave();
}

static void *script(void *arg)
{
	int i, sum = 0;
	for (i = 0; i < 200; i++) {
		hnd_t h = obj_new(i);
		obj_set(h, i + 1);
		obj_set((h + 1) % 32, i);
		sum += obj_get(h);
		if (i & 1)
			obj_del(h);
	}
	printf("%d\n", sum);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, script, NULL);
	pthread_create(&b, NULL, script, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
