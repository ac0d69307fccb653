#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define FLOORS 12

struct elevator {
	pthread_mutex_t mtx;
	pthread_cond_t wake;
	unsigned char want[FLOORS];
	int floor, calls, stop;
};

static struct elevator lift;

static int next_call(struct elevator *e)
{
	int f;
	for (f = 0; f < FLOORS; f++)
		if (e->want[f])
			return f;
	return -1;
}

static void *motor(void *arg)
{
	struct elevator *e = arg;
	int f;

	pthread_mutex_lock(&e->mtx);
	for (;;) {
		while ((f = next_call(e)) < 0 && !e->stop)
			pthread_cond_wait(&e->wake, &e->mtx);
		if (f < 0)
			break;
		e->want[f] = 0;
		e->floor = f;
	}
	pthread_mutex_unlock(&e->mtx);
	return NULL;
}

static void press(struct elevator *e, int f)
{
	pthread_mutex_lock(&e->mtx);
	e->want[f] = 1;
	e->calls++;
	pthread_cond_signal(&e->wake);
	pthread_mutex_unlock(&e->mtx);
}

static int where(struct elevator *e)
{
	int f;
	pthread_mutex_lock(&e->mtx);
	f = e->floor; // NORACE
	pthread_mutex_unlock(&e->mtx);
	return f;
}

int main(void)
{
	pthread_t m;
	int i, seen = 0;
	pthread_mutex_init(&lift.mtx, NULL);
	pthread_cond_init(&lift.wake, NULL);
	pthread_create(&m, NULL, motor, &lift);
	for (i = 0; i < 100; i++) {
		press(&lift, i % FLOORS);
		seen += where(&lift);
	}
	pthread_mutex_lock(&lift.mtx);
	lift.stop = 1;
	pthread_cond_signal(&lift.wake);
	pthread_mutex_unlock(&lift.mtx);
	pthread_join(m, NULL);
	printf("%d\n", seen);
	return 0;
}
