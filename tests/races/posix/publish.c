/* Before it is published the object is private; afterwards it is everybody's. */
#include <pthread.h>
#include <stdlib.h>

struct session { pthread_mutex_t lock; int user; int requests; };
static pthread_mutex_t current_lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;

static void *login(void *argument)
{
	struct session *session = malloc(sizeof *session);
	if (!session)
		return NULL;
	pthread_mutex_init(&session->lock, NULL);
	session->user = 17; /* NORACE */
	pthread_mutex_lock(&current_lock);
	current = session; /* NORACE */
	pthread_mutex_unlock(&current_lock);
	session->requests = 0; /* RACE@a */
	return argument;
}

static void *serve(void *argument)
{
	struct session *session;
	pthread_mutex_lock(&current_lock);
	session = current; /* NORACE */
	pthread_mutex_unlock(&current_lock);
	if (session && session->user) { /* NORACE */
		pthread_mutex_lock(&session->lock);
		session->requests++; /* RACE@a */
		pthread_mutex_unlock(&session->lock);
	}
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, login, NULL);
	pthread_create(&b, NULL, serve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
