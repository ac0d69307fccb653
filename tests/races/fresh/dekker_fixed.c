#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int interested[2];
static int favoured;
static int cookies = 200;
static int eaten[2];

static void dekker_lock(int i)
{
	int j = !i;

	__atomic_store_n(&interested[i], 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&interested[j], __ATOMIC_SEQ_CST)) {
		if (__atomic_load_n(&favoured, __ATOMIC_SEQ_CST) != i) {
			__atomic_store_n(&interested[i], 0, __ATOMIC_SEQ_CST);
			while (__atomic_load_n(&favoured, __ATOMIC_SEQ_CST) != i)
				sched_yield();
			__atomic_store_n(&interested[i], 1, __ATOMIC_SEQ_CST);
		}
	}
}

static void dekker_unlock(int i)
{
	__atomic_store_n(&favoured, !i, __ATOMIC_SEQ_CST);
	__atomic_store_n(&interested[i], 0, __ATOMIC_SEQ_CST);
}

static int take_cookie(int who)
{
	int got = 0;

	dekker_lock(who);
	if (cookies > 0) { // TODO NORACE: locks made of plain loads and stores
		cookies--; // TODO NORACE: locks made of plain loads and stores
		got = 1;
	}
	dekker_unlock(who);
	return got;
}

static void *kid(void *arg)
{
	int who = *(int *)arg;
	while (take_cookie(who))
		eaten[who]++; // TODO NORACE: locks made of plain loads and stores
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int id[2] = { 0, 1 };
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, kid, &id[i]);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", eaten[0], eaten[1]);
	return 0;
}
