/* A service says under its lock that it is ready; whoever asks waits a little, and reads whether it is or not. */
#include <stdbool.h>
#include <threads.h>

struct service {
	mtx_t lock;
	cnd_t changed;
	bool ready;
	int port;
};
static struct service service;

static int serve(void *argument)
{
	struct service *self = argument;
	self->port = 4711; /* RACE@a */
	mtx_lock(&self->lock);
	self->ready = true;
	cnd_broadcast(&self->changed);
	mtx_unlock(&self->lock);
	return 0;
}

static void service_wait(struct service *self)
{
	mtx_lock(&self->lock);
	if (!self->ready)
		cnd_wait(&self->changed, &self->lock);
	mtx_unlock(&self->lock);
}

int main(void)
{
	thrd_t thread;
	int port;
	mtx_init(&service.lock, mtx_plain);
	cnd_init(&service.changed);
	thrd_create(&thread, serve, &service);
	service_wait(&service);
	port = service.port; /* RACE@a */
	thrd_join(thread, NULL);
	return port;
}
