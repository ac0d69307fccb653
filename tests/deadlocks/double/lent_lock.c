/* Sessions use the lock of their server. Counting them holds it, and then a session's, which is the same. */
#include <pthread.h>

struct server {
	pthread_mutex_t mutex;
	int sessions;
};
struct session {
	pthread_mutex_t *mutex;
	struct server *server;
	int bytes;
};

void session_begin(struct session *session, struct server *server)
{
	session->server = server;
	session->mutex = &session->server->mutex;
}

void session_read(struct session *session, int bytes)
{
	pthread_mutex_lock(session->mutex);
	session->bytes += bytes;
	pthread_mutex_unlock(session->mutex);
}

int server_bytes(struct server *server, struct session *session)
{
	int sum;
	pthread_mutex_lock(&server->mutex);
	sum = server->sessions;
	pthread_mutex_lock(session->mutex); /* DOUBLE-LOCK */
	sum += session->bytes;
	pthread_mutex_unlock(session->mutex);
	pthread_mutex_unlock(&server->mutex);
	return sum;
}
