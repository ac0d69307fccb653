/* Two accounts, locked as they come: two transfers in opposite directions wait for each other. */
#include <pthread.h>

struct account { pthread_mutex_t lock; int balance; };
static struct account accounts[16];

static void transfer(struct account *from, struct account *to, int amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock); /* DEADLOCK */
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *teller(void *argument)
{
	int *pair = argument;
	for (int i = 0; i < 100; i++)
		transfer(&accounts[pair[0]], &accounts[pair[1]], i);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int pairs[2][2] = {{0, 1}, {1, 0}};
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, teller, pairs[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
