/* What a global points to is handed to a helper with its lock held: the lock is that of what the helper was given. */
#include <pthread.h>
#include <stdlib.h>

struct ledger { pthread_mutex_t mutex; int balance; int entries; };
static struct ledger *ledger;

static void put(struct ledger *any, int amount)
{
	any->balance += amount; /* NORACE */
	if (any->balance < 0)
		abort();
}

static void note(struct ledger *any)
{
	any->entries++; /* RACE */
	if (any->entries > 1000)
		abort();
}

static void *pay(void *argument)
{
	pthread_mutex_lock(&ledger->mutex);
	put(ledger, 1);
	note(ledger);
	pthread_mutex_unlock(&ledger->mutex);
	return argument;
}

static void *earn(void *argument)
{
	struct ledger *mine = argument;
	pthread_mutex_lock(&mine->mutex);
	put(mine, 2);
	pthread_mutex_unlock(&mine->mutex);
	note(mine);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	ledger = calloc(1, sizeof *ledger);
	if (!ledger)
		abort();
	pthread_mutex_init(&ledger->mutex, NULL);
	pthread_create(&a, NULL, pay, NULL);
	pthread_create(&b, NULL, earn, ledger);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
