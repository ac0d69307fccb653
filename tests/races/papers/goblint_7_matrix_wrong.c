/* Goblint, example 7, wrong: the row is let go before, and the column is that of another element. */
#include <pthread.h>
#include <stdint.h>

struct ln { int data[7]; struct ln *next; };
static pthread_mutex_t mtxs[64][8];
static struct ln *slots[64];

static void *t(void *argument)
{
	int i = (int)(intptr_t)argument, j = i % 7;
	struct ln *t;
	pthread_mutex_lock(&mtxs[i][0]);
	t = slots[i]->next; /* NORACE */
	pthread_mutex_unlock(&mtxs[i][0]);
	pthread_mutex_lock(&mtxs[i][j + 1]);
	t->data[0]++; /* TODO RACE: of two indices of a lock neither is compared with the element's */
	pthread_mutex_unlock(&mtxs[i][j + 1]);
	return NULL;
}

int main(void)
{
	pthread_t threads[8];
	for (intptr_t i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, t, (void *)(i / 2));
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
