/*
 * Voung's dissertation, Figure B.2, repaired: the function kept in the object takes the lock.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct string { int len; char *buff; } string_t;
typedef struct dlist { struct dlist *prev, *next; } dlist_t;
typedef struct obj { void (*fp)(char *); dlist_t others; string_t id; } obj_t;

static dlist_t head;
static int shown, logged;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void show(char *text)
{
	pthread_mutex_lock(&log_lock);
	shown += text != NULL; /* NORACE */
	pthread_mutex_unlock(&log_lock);
}
static void log_text(char *text)
{
	pthread_mutex_lock(&log_lock);
	logged += text != NULL; /* NORACE */
	pthread_mutex_unlock(&log_lock);
}

static void put(void (*fp)(char *))
{
	obj_t *o = malloc(sizeof *o);
	o->fp = fp;
	o->id.buff = "text";
	o->others.next = head.next;
	o->others.prev = &head;
	head.next = &o->others;
}

static void *test(void *argument)
{
	for (dlist_t *l = head.next; l != &head; l = l->next) {
		obj_t *o = (obj_t *)((char *)l - offsetof(obj_t, others));
		o->fp(o->id.buff);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	head.next = head.prev = &head;
	put(show);
	put(log_text);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, test, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
