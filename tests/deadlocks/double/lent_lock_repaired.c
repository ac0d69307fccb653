/* Sessions use the lock of their server. Moving one takes the new server's lock beside that of the old. */
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

/* The server that is given is another one: the session moves to it. */
void session_move(struct server *server, struct session *session)
{
	pthread_mutex_lock(session->mutex);
	pthread_mutex_lock(&server->mutex); /* NODOUBLE-LOCK */
	server->sessions += 1;
	session->bytes = 0;
	pthread_mutex_unlock(&server->mutex);
	pthread_mutex_unlock(session->mutex);
	session->server = server;
	session->mutex = &session->server->mutex;
}

int server_count(struct server *server)
{
	int sum;
	pthread_mutex_lock(&server->mutex);
	sum = server->sessions;
	pthread_mutex_unlock(&server->mutex);
	return sum;
}
