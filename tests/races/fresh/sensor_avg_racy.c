#include <pthread.h>
#include <stdio.h>

extern int sample(void);

#define WINDOW 8
static int window[WINDOW];
static int filled, at;
static pthread_rwlock_t lk = PTHREAD_RWLOCK_INITIALIZER;

static void feed(int v)
{
	pthread_rwlock_rdlock(&lk);
	window[at] = v; // RACE!
	at = (at + 1) % WINDOW; // RACE!
	if (filled < WINDOW)
		filled++; // RACE!
	pthread_rwlock_unlock(&lk);
}

static int average(void)
{
	int i, sum = 0, n;
	pthread_rwlock_rdlock(&lk);
	n = filled;
	for (i = 0; i < n; i++)
		sum += window[i];
	pthread_rwlock_unlock(&lk);
	return n ? sum / n : 0;
}

static void *probe_thread(void *u)
{
	int i;
	for (i = 0; i < 200; i++)
		feed(sample() % 100);
	return u;
}

static void *gauge(void *u)
{
	int i, last = 0;
	for (i = 0; i < 200; i++)
		last = average();
	printf("%d\n", last);
	return u;
}

int main(void)
{
	pthread_t p1, p2, g;
	pthread_create(&p1, NULL, probe_thread, NULL);
	pthread_create(&p2, NULL, probe_thread, NULL);
	pthread_create(&g, NULL, gauge, NULL);
	pthread_join(p1, NULL);
	pthread_join(p2, NULL);
	pthread_join(g, NULL);
	return 0;
}
