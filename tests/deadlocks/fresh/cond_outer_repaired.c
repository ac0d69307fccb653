#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A device with a command lock; replies arrive on another thread. */
struct reply_slot {
	pthread_mutex_t mu;
	pthread_cond_t  cv;
	int ready;
	int value;
};

struct device {
	pthread_mutex_t dev_mu;
	int seq;
	int last_status;
	struct reply_slot reply;
};

static struct device dev = {
	.dev_mu = PTHREAD_MUTEX_INITIALIZER,
	.reply = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 },
};

static int wait_reply(struct reply_slot *r)
{
	int v;

	pthread_mutex_lock(&r->mu);
	while (!r->ready)
		pthread_cond_wait(&r->cv, &r->mu);
	v = r->value;
	r->ready = 0;
	pthread_mutex_unlock(&r->mu);
	return v;
}

static int dev_command(struct device *d)
{
	int v;

	pthread_mutex_lock(&d->dev_mu);
	d->seq++;
	pthread_mutex_unlock(&d->dev_mu);
	v = wait_reply(&d->reply);
	return v;
}

static void *reply_thread(void *arg)
{
	struct device *d = arg;

	for (int i = 0; i < 5; i++) {
		usleep(1000);
		pthread_mutex_lock(&d->dev_mu);
		d->last_status = d->seq;
		pthread_mutex_unlock(&d->dev_mu);

		pthread_mutex_lock(&d->reply.mu);
		d->reply.value = i;
		d->reply.ready = 1;
		pthread_cond_signal(&d->reply.cv);
		pthread_mutex_unlock(&d->reply.mu);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	alarm(3);
	pthread_create(&t, NULL, reply_thread, &dev);
	printf("first reply: %d\n", dev_command(&dev));
	pthread_join(t, NULL);
	printf("status %d\n", dev.last_status);
	return 0;
}
