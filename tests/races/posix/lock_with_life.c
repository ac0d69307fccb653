/* A record with a lock and functions that take and give it, which is more than a lock: it is one object by whatever pointer
   it is reached, and so is its lock. */
#include <pthread.h>

struct account { pthread_mutex_t mutex; int balance; struct account *next; };
struct bank { struct account *first; struct account *favourite; };
static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };
static struct bank bank = { &savings, &savings };

static void account_lock(struct account *account) { pthread_mutex_lock(&account->mutex); }
static void account_unlock(struct account *account) { pthread_mutex_unlock(&account->mutex); }
static void account_put(struct account *account, int amount) { account->balance += amount; } /* NORACE */

static void *pay(void *argument)
{
	account_lock(bank.favourite);
	account_put(bank.favourite, 1);
	account_unlock(bank.favourite);
	return argument;
}

static void *interest(void *argument)
{
	for (struct account *at = bank.first; at; at = at->next) {
		account_lock(at);
		account_put(at, 2);
		account_unlock(at);
	}
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, pay, NULL);
	pthread_create(&b, NULL, interest, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
