// One of two locks of an object is taken, the other is let go: a slip. Elsewhere the two are handed over on purpose, and
// what was got by a try in a helper is let go by the helper, whoever calls it again.
#include <pthread.h>
#include <stdbool.h>

struct queue {
	pthread_mutex_t front, back;
	int taken, put;
};

static struct queue jobs = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 0};
static struct queue done = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void queue_take(struct queue *q)
{
	pthread_mutex_lock(&q->front);
	q->taken++;
	pthread_mutex_unlock(&q->front); /* NOUNHELD */
}

static int queue_put(struct queue *q, int limit)
{
	int before;
	pthread_mutex_lock(&q->back);
	before = q->put;
	if (before >= limit) {
		pthread_mutex_unlock(&q->front); /* UNHELD */
		return -1;
	}
	q->put++;
	pthread_mutex_unlock(&q->front); /* UNHELD */
	return before;
}

static int queue_put_well(struct queue *q)
{
	pthread_mutex_lock(&q->back);
	int before = q->put++;
	pthread_mutex_unlock(&q->back); /* NOUNHELD */
	return before;
}

static void go_to_back(struct queue *q)
{
	pthread_mutex_lock(&q->back);
	pthread_mutex_unlock(&q->front); /* NOUNHELD */
}

static void queue_turn(struct queue *q)
{
	pthread_mutex_lock(&q->front);
	q->taken--;
	go_to_back(q);
	q->put--;
	pthread_mutex_unlock(&q->back); /* NOUNHELD */
}

struct bell {
	pthread_mutex_t front;
	int taken;
};
static struct bell bell = {PTHREAD_MUTEX_INITIALIZER, 0};

static bool bell_poll(struct bell *q, int *out)
{
	int failed = pthread_mutex_trylock(&q->front);
	if (failed)
		return false; /* NOLEAK */
	if (!q->taken)
		return false; /* LEAK */
	*out = q->taken;
	pthread_mutex_unlock(&q->front); /* NOUNHELD */
	return true;
}

static bool bell_poll_well(struct bell *q, int *out)
{
	if (pthread_mutex_trylock(&q->front) != 0)
		return false; /* NOLEAK */
	if (q->taken)
		*out = q->taken;
	pthread_mutex_unlock(&q->front); /* NOUNHELD */
	return true;
}

static void *clerk(void *arg)
{
	int seen = 0;
	for (int i = 0; i < 20; i++) {
		queue_take(&jobs);
		queue_put(&done, 5);
		queue_turn(&jobs);
		queue_put_well(&jobs);
		while (!bell_poll(&bell, &seen) && !bell_poll_well(&bell, &seen))
			;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, clerk, NULL);
	pthread_create(&b, NULL, clerk, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
