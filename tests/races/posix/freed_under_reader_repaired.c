/* Routes are replaced and grown under the lock, and read under it. */
#include <pthread.h>
#include <stdlib.h>

struct route {
	int hops;
	int cost;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct route *best;
static long *costs;
static int known;

static void *update(void *argument)
{
	for (int i = 1; i < 100; i++) {
		struct route *made = malloc(sizeof *made), *last;
		made->hops = i; /* NORACE */
		made->cost = i; /* NORACE */
		pthread_mutex_lock(&mutex);
		last = best;
		best = made;
		long *more = realloc(costs, (size_t)(known + 1) * sizeof *costs); /* NORACE */
		costs = more;
		costs[known++] = i; /* NORACE */
		pthread_mutex_unlock(&mutex);
		free(last); /* NORACE */
	}
	return argument;
}

static long walk(void)
{
	long sum;
	pthread_mutex_lock(&mutex);
	struct route *route = best;
	const long *first = costs;
	if (!route) {
		pthread_mutex_unlock(&mutex);
		return 0;
	}
	sum = route->hops; /* NORACE */
	sum += *first; /* NORACE */
	pthread_mutex_unlock(&mutex);
	return sum;
}

int main(void)
{
	pthread_t thread;
	best = calloc(1, sizeof *best);
	costs = calloc(1, sizeof *costs);
	known = 1;
	pthread_create(&thread, NULL, update, NULL);
	walk();
	pthread_join(thread, NULL);
	free(best);
	free(costs);
	return 0;
}
