#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>

#define MANY 64
static int scores[MANY];
static pthread_mutex_t scores_lock = PTHREAD_MUTEX_INITIALIZER;

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void *sorter(void *arg)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&scores_lock);
		qsort(scores, MANY, sizeof scores[0], by_value); // NORACE
		pthread_mutex_unlock(&scores_lock);
	}
	return arg;
}

static void *scorer(void *arg)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&scores_lock);
		scores[i % MANY] += i; // NORACE
		pthread_mutex_unlock(&scores_lock);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, sorter, NULL);
	pthread_create(&b, NULL, scorer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", scores[MANY - 1]);
	return 0;
}
