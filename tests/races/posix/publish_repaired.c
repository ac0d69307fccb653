/* publish.c with all of the initialisation before the object is published. */
#include <pthread.h>
#include <stdlib.h>

struct session { pthread_mutex_t lock; int user; int requests; };
static pthread_mutex_t current_lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;

static struct session *session_new(int user)
{
	struct session *session = malloc(sizeof *session);
	if (!session)
		return NULL;
	pthread_mutex_init(&session->lock, NULL);
	session->user = user; /* NORACE */
	session->requests = 0; /* NORACE */
	return session;
}

static void *login(void *argument)
{
	struct session *session = session_new(17);
	if (!session)
		return NULL;
	session->requests = 1; /* NORACE */
	pthread_mutex_lock(&current_lock);
	current = session; /* NORACE */
	pthread_mutex_unlock(&current_lock);
	return argument;
}

static void *serve(void *argument)
{
	struct session *session;
	pthread_mutex_lock(&current_lock);
	session = current; /* NORACE */
	pthread_mutex_unlock(&current_lock);
	if (session) {
		pthread_mutex_lock(&session->lock);
		session->requests++; /* NORACE */
		pthread_mutex_unlock(&session->lock);
	}
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, login, NULL);
	pthread_create(&b, NULL, serve, NULL);
	pthread_create(&c, NULL, serve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
