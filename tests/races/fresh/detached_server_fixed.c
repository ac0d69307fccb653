#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
	int live;
	int served;
	int shutting_down;
	pthread_mutex_t lock;
	pthread_cond_t none;
} srv = { .lock = PTHREAD_MUTEX_INITIALIZER, .none = PTHREAD_COND_INITIALIZER };

static void *serve(void *arg)
{
	int fd = (int)(long)arg;

	usleep(fd * 10);
	pthread_mutex_lock(&srv.lock);
	srv.served++;
	if (--srv.live == 0)
		pthread_cond_signal(&srv.none);
	pthread_mutex_unlock(&srv.lock);
	return NULL;
}

static int start_one(int fd)
{
	pthread_t t;
	pthread_attr_t attr;
	int rc;

	pthread_mutex_lock(&srv.lock);
	srv.live++; // NORACE
	pthread_mutex_unlock(&srv.lock);

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	rc = pthread_create(&t, &attr, serve, (void *)(long)fd);
	pthread_attr_destroy(&attr);
	return rc;
}

int main(void)
{
	int fd;

	for (fd = 3; fd < 20; fd++)
		if (start_one(fd))
			return 1;
	pthread_mutex_lock(&srv.lock);
	srv.shutting_down = 1;
	while (srv.live > 0)
		pthread_cond_wait(&srv.none, &srv.lock);
	printf("served %d\n", srv.served);
	pthread_mutex_unlock(&srv.lock);
	return 0;
}
