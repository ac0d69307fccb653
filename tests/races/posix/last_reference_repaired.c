/* Users of a session count themselves under its lock; whoever counts down to zero is alone with it and takes it down. */
#include <stdlib.h>
#include <threads.h>

struct session { mtx_t lock; int references; long bytes; };
static mtx_t table_lock;
static struct session *table;

static struct session *session_get(void)
{
	mtx_lock(&table_lock);
	struct session *session = table;
	if (session) {
		mtx_lock(&session->lock);
		session->references++; /* NORACE */
		mtx_unlock(&session->lock);
	}
	mtx_unlock(&table_lock);
	return session;
}

static void session_destroy(struct session *session)
{
	session->bytes = 0; /* NORACE */
	mtx_destroy(&session->lock);
	free(session);
}

static void session_put(struct session *session)
{
	mtx_lock(&session->lock);
	int left = --session->references; /* NORACE */
	mtx_unlock(&session->lock);
	if (left > 0)
		return;
	session_destroy(session);
}

static int serve(void *argument)
{
	(void)argument;
	struct session *session = session_get();
	if (!session)
		return 0;
	mtx_lock(&session->lock);
	session->bytes += 10; /* NORACE */
	mtx_unlock(&session->lock);
	session_put(session);
	return 0;
}

int main(void)
{
	thrd_t one, two;
	mtx_init(&table_lock, mtx_plain);
	table = calloc(1, sizeof *table);
	mtx_init(&table->lock, mtx_plain);
	table->references = 1; /* NORACE */
	thrd_create(&one, serve, NULL);
	thrd_create(&two, serve, NULL);
	thrd_join(one, NULL);
	thrd_join(two, NULL);
	session_put(table);
	return 0;
}
