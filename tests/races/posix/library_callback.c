/* qsort calls back while it runs, with the lock that was taken around it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t scores_lock = PTHREAD_MUTEX_INITIALIZER;
static int scores[16], comparisons, sorts;

static int compare(const void *a, const void *b)
{
	comparisons++; /* NORACE */
	return *(const int *)a - *(const int *)b;
}

static int compare_loose(const void *a, const void *b)
{
	sorts++; /* RACE */
	return *(const int *)b - *(const int *)a;
}

static void *sorter(void *argument)
{
	int own[4] = { 4, 2, 3, 1 };
	pthread_mutex_lock(&scores_lock);
	qsort(scores, 16, sizeof scores[0], compare); /* NORACE */
	pthread_mutex_unlock(&scores_lock);
	qsort(own, 4, sizeof own[0], compare_loose); /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, sorter, NULL);
	pthread_create(&b, NULL, sorter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return comparisons; /* NORACE */
}
