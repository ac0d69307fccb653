/* Lock and data are members of one array's element, or of two different elements. */
#include <pthread.h>

struct lane { pthread_mutex_t lock; int cars; int trucks; };
static struct lane lanes[8];

static void enter(int i, int j)
{
	pthread_mutex_lock(&lanes[i].lock);
	lanes[i].cars++; /* NORACE */
	lanes[j].trucks++; /* RACE */
	pthread_mutex_unlock(&lanes[i].lock);
}

static void leave(struct lane *lane)
{
	pthread_mutex_lock(&lane->lock);
	lane->cars--; /* NORACE */
	lane->trucks--;
	pthread_mutex_unlock(&lane->lock);
}

static void *traffic(void *argument)
{
	for (int i = 0; i < 7; i++)
		enter(i, i + 1);
	leave(&lanes[3]);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 8; i++)
		pthread_mutex_init(&lanes[i].lock, NULL);
	pthread_create(&threads[0], NULL, traffic, NULL);
	pthread_create(&threads[1], NULL, traffic, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
