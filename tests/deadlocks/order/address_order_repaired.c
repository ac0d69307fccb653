/* Two objects of one type, locked in the order of their addresses: no double lock, no deadlock. */
#include <pthread.h>

struct account { pthread_mutex_t lock; int balance; };
static struct account accounts[16];

static void lock_both(struct account *a, struct account *b)
{
	if (a < b) {
		pthread_mutex_lock(&a->lock);
		pthread_mutex_lock(&b->lock); /* NODEADLOCK */ /* NODOUBLE-LOCK */
	} else {
		pthread_mutex_lock(&b->lock);
		pthread_mutex_lock(&a->lock); /* NODEADLOCK */ /* NODOUBLE-LOCK */
	}
}

static void *teller(void *argument)
{
	int *pair = argument;
	struct account *from = &accounts[pair[0]], *to = &accounts[pair[1]];
	if (from == to)
		return NULL;
	for (int i = 0; i < 100; i++) {
		lock_both(from, to);
		from->balance -= i;
		to->balance += i;
		pthread_mutex_unlock(&from->lock);
		pthread_mutex_unlock(&to->lock);
	}
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
