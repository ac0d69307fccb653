// A slot for one number: who has one to send waits until it is empty, who receives empties it. It looks as if a word
// were claimed with a number, but nobody has anything by that: twice in a row is no mistake, nor is going home.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int slot;

static void send(int number)
{
	int empty = 0;
	while (!atomic_compare_exchange_strong(&slot, &empty, number)) {
		empty = 0;
		sched_yield();
	}
}

static int receive(void)
{
	int got;
	while (!(got = atomic_exchange(&slot, 0)))
		sched_yield();
	return got;
}

static void *sender(void *arg)
{
	send(3);
	send(4); /* NODOUBLE-LOCK */
	for (int i = 1; i < 9; i++)
		send(i); /* NODOUBLE-LOCK */
	send(99);
	return arg; /* NOLEAK */
}

int main(void)
{
	pthread_t one;
	int got;
	pthread_create(&one, NULL, sender, NULL);
	while ((got = receive()) != 99)
		;
	pthread_join(one, NULL);
	return 0;
}
