// racerx-verdict: shown
/* A library without a main. session_close() writes all under the lock. The registry's lock is held around
   nearly everything, and explains nothing. */
#include <pthread.h>

struct session { pthread_mutex_t guard; int state; int credit; };
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static int sessions, closed;

void session_open(struct session *session)
{
	pthread_mutex_lock(&registry);
	sessions++; /* NORACE */
	pthread_mutex_lock(&session->guard);
	session->credit = 10;
	pthread_mutex_unlock(&session->guard);
	pthread_mutex_unlock(&registry);
}

int session_spend(struct session *session)
{
	pthread_mutex_lock(&registry);
	pthread_mutex_lock(&session->guard);
	int left = --session->credit;
	pthread_mutex_unlock(&session->guard);
	pthread_mutex_unlock(&registry);
	return left;
}

int session_credit(struct session *session)
{
	pthread_mutex_lock(&session->guard);
	int credit = session->credit;
	pthread_mutex_unlock(&session->guard);
	return credit;
}

void session_close(struct session *session)
{
	pthread_mutex_lock(&registry);
	closed++; /* NORACE */
	sessions--; /* NORACE */
	pthread_mutex_unlock(&registry);
	pthread_mutex_lock(&session->guard);
	session->state = 0; /* NORACE */
	session->credit = 0; /* NORACE */
	pthread_mutex_unlock(&session->guard);
}

int registry_count(void)
{
	pthread_mutex_lock(&registry);
	int count = sessions - closed; /* NORACE */
	pthread_mutex_unlock(&registry);
	return count;
}
