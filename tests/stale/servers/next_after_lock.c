/* Looked up, the lock let go and taken again: what was found may be gone. */
#include <pthread.h>
#include <stdlib.h>

struct peer { struct peer *next; int number, pinned; };
static struct peer *peers;
static pthread_mutex_t peers_lock = PTHREAD_MUTEX_INITIALIZER;
extern void greet(int number);

static struct peer *peer_by_number(int number)
{
	struct peer *p;

	for (p = peers; p; p = p->next)
		if (p->number == number)
			return p;
	return NULL;
}

static void peer_drop(int number)
{
	struct peer **at;

	pthread_mutex_lock(&peers_lock);
	for (at = &peers; *at; at = &(*at)->next)
		if ((*at)->number == number && !(*at)->pinned) {
			struct peer *gone = *at;
			*at = gone->next;
			free(gone);
			break;
		}
	pthread_mutex_unlock(&peers_lock);
}

static void *greeter(void *number)
{
	struct peer *p;

	pthread_mutex_lock(&peers_lock);
	p = peer_by_number(*(int *)number);
	if (p) {
		pthread_mutex_unlock(&peers_lock);
		greet(1);
		pthread_mutex_lock(&peers_lock);
		p->number++; /* ESCAPED */
	}
	pthread_mutex_unlock(&peers_lock);
	return NULL;
}

static void *dropper(void *number)
{
	peer_drop(*(int *)number);
	return NULL;
}

int main(void)
{
	static int number = 3;
	pthread_t a, b;

	pthread_create(&a, NULL, greeter, &number);
	pthread_create(&b, NULL, dropper, &number);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
