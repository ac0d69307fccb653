#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct session {
	int id;
	int timeout;
	struct session *next;
};

static struct session *sessions;
static pthread_mutex_t sessions_lock = PTHREAD_MUTEX_INITIALIZER;

static struct session *session_create(int id)
{
	struct session *s = malloc(sizeof(*s));

	if (!s)
		return NULL;
	s->id = id;
	s->timeout = 30; // NORACE
	pthread_mutex_lock(&sessions_lock);
	s->next = sessions;
	sessions = s;
	pthread_mutex_unlock(&sessions_lock);
	return s;
}

static int sessions_tick(void)
{
	struct session *s;
	int expired = 0;

	pthread_mutex_lock(&sessions_lock);
	for (s = sessions; s; s = s->next)
		if (--s->timeout <= 0)
			expired++;
	pthread_mutex_unlock(&sessions_lock);
	return expired;
}

static void *ticker(void *arg)
{
	int i, n = 0;
	for (i = 0; i < 100; i++)
		n += sessions_tick();
	*(int *)arg = n;
	return NULL;
}

int main(void)
{
	pthread_t t;
	int i, expired = 0;

	pthread_create(&t, NULL, ticker, &expired);
	for (i = 0; i < 200; i++)
		if (!session_create(i))
			break;
	pthread_join(t, NULL);
	printf("%d\n", expired);
	return 0;
}
