#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
	pthread_mutex_t mtx;
	pthread_cond_t zero;
	int count;
} latch_t;

static void latch_init(latch_t *l, int n)
{
	pthread_mutex_init(&l->mtx, NULL);
	pthread_cond_init(&l->zero, NULL);
	l->count = n;
}

static void latch_down(latch_t *l)
{
	pthread_mutex_lock(&l->mtx);
	if (--l->count == 0)
		pthread_cond_broadcast(&l->zero);
	pthread_mutex_unlock(&l->mtx);
}

static void latch_wait(latch_t *l)
{
	pthread_mutex_lock(&l->mtx);
	while (l->count > 0)
		pthread_cond_wait(&l->zero, &l->mtx);
	pthread_mutex_unlock(&l->mtx);
}

#define PARTS 4
static latch_t done;
static long partial[PARTS];

static void *sum_part(void *arg)
{
	long id = (long)arg, i, s = 0;

	for (i = id * 1000; i < (id + 1) * 1000; i++)
		s += i;
	partial[id] = s; // NORACE
	latch_down(&done);
	return NULL;
}

int main(void)
{
	pthread_t t;
	long i, total = 0;

	latch_init(&done, PARTS);
	for (i = 0; i < PARTS; i++) {
		pthread_create(&t, NULL, sum_part, (void *)i);
		pthread_detach(t);
	}
	latch_wait(&done);
	for (i = 0; i < PARTS; i++)
		total += partial[i];
	printf("%ld\n", total);
	return 0;
}
