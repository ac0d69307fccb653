/* A library calls what its user gave it with the session's lock held; who asks it anything from there waits for himself. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "session.h"

struct session {
	pthread_mutex_t lock;
	closed_fn closed;
	void *data;
	int open;
	char last[64];
};

struct session *session_new(void)
{
	struct session *session = calloc(1, sizeof *session);
	if (session)
		pthread_mutex_init(&session->lock, NULL);
	return session;
}

void session_on_closed(struct session *session, closed_fn closed, void *data)
{
	session->closed = closed;
	session->data = data;
}

int session_send(struct session *session, const char *text)
{
	int sent = -1;
	pthread_mutex_lock(&session->lock);
	if (session->open) {
		strncpy(session->last, text, sizeof session->last - 1);
		sent = 0;
	}
	pthread_mutex_unlock(&session->lock);
	return sent;
}

int session_is_open(struct session *session)
{
	pthread_mutex_lock(&session->lock);
	int open = session->open;
	pthread_mutex_unlock(&session->lock);
	return open;
}

static void session_end(struct session *session)
{
	session->open = 0;
	if (session->closed)
		session->closed(session, session->data); /* DEADLOCK */
}

void session_input(struct session *session, const char *text)
{
	pthread_mutex_lock(&session->lock);
	if (!strcmp(text, "bye"))
		session_end(session);
	pthread_mutex_unlock(&session->lock);
}
