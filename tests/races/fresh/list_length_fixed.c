/* mailing list manager */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

typedef struct _Subscriber {
	struct _Subscriber *next, *prev;
	char address[64];
} Subscriber;

typedef struct {
	Subscriber anchor;
	unsigned count;
} SubscriberList;

static SubscriberList list;
static pthread_mutex_t list_mutex;

#define LOCK_LIST()	pthread_mutex_lock(&list_mutex)
#define UNLOCK_LIST()	pthread_mutex_unlock(&list_mutex)

static void link_subscriber(Subscriber *s)
{
	s->next = list.anchor.next;
	s->prev = &list.anchor;
	s->next->prev = s;
	list.anchor.next = s;
	list.count++;
}

static void unlink_subscriber(Subscriber *s)
{
	s->next->prev = s->prev;
	s->prev->next = s->next;
	list.count--;
}

static void subscribe(const char *address)
{
	Subscriber *s = calloc(1, sizeof(Subscriber));

	strncpy(s->address, address, 63);
	LOCK_LIST();
	link_subscriber(s);
	UNLOCK_LIST();
}

static int unsubscribe(const char *address)
{
	Subscriber *s;

	LOCK_LIST();
	for (s = list.anchor.next; s != &list.anchor; s = s->next)
		if (!strcmp(s->address, address)) {
			unlink_subscriber(s);
			UNLOCK_LIST();
			free(s);
			return 0;
		}
	UNLOCK_LIST();
	return -1;
}

static int is_empty(void)
{
	int empty;

	LOCK_LIST();
	empty = list.anchor.next == &list.anchor; // NORACE
	UNLOCK_LIST();
	return empty;
}

static void *robot(void *name)
{
	int i, empties = 0;

	for (i = 0; i < 200; i++) {
		subscribe(name);
		if (is_empty())
			empties++;
		unsubscribe(name);
	}
	printf("%d\n", empties);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_mutex_init(&list_mutex, NULL);
	list.anchor.next = list.anchor.prev = &list.anchor;
	pthread_create(&a, NULL, robot, "a@example.org");
	pthread_create(&b, NULL, robot, "b@example.org");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
