#include <pthread.h>
#include <errno.h>

struct hall {
	pthread_mutex_t lock;
	int seats, sold, refused;
};

static struct hall hall = { PTHREAD_MUTEX_INITIALIZER, 200, 0, 0 };

static int hall_sell(struct hall *h, int n)
{
	int err = 0;

	pthread_mutex_lock(&h->lock);
	if (h->sold + n > h->seats) {
		h->refused += n; // NORACE
		err = -ENOSPC;
		goto out;
	}
	h->sold += n; // NORACE
out:
	pthread_mutex_unlock(&h->lock);
	return err;
}

static void *counter_desk(void *arg)
{
	int i;
	for (i = 1; i < 50; i++)
		hall_sell(&hall, i % 6);
	return arg;
}

int main(void)
{
	pthread_t d[3];
	int i;
	for (i = 0; i < 3; i++)
		pthread_create(&d[i], NULL, counter_desk, NULL);
	for (i = 0; i < 3; i++)
		pthread_join(d[i], NULL);
	return hall.refused;
}
