/* Words that are claimed, and are no locks: a try that gives up, a mark that another thread takes away, work in between. */
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

static atomic_int first, second, slot;
static int letter, rounds;

static int try_for_a_while(atomic_int *word)
{
	for (int i = 0; i < 100; i++) {
		if (!atomic_exchange(word, 1))
			return 1;
		sched_yield();
	}
	return 0;
}

static void there(void)
{
	if (!try_for_a_while(&first))
		return;
	if (try_for_a_while(&second)) {
		rounds++;
		atomic_store(&second, 0);
	}
	atomic_store(&first, 0);
}

static void back(void)
{
	if (!try_for_a_while(&second))
		return;
	if (try_for_a_while(&first)) {
		rounds--;
		atomic_store(&first, 0);
	}
	atomic_store(&second, 0);
}

static void post(int text)
{
	while (atomic_exchange(&slot, 1))
		sched_yield();
	letter = text;
}

static void *receiver(void *argument)
{
	for (int i = 0; i < 100; i++) {
		back();
		if (atomic_load(&slot)) {
			rounds += letter;
			atomic_store(&slot, 0);
		}
	}
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, receiver, 0);
	for (int i = 0; i < 100; i++) {
		there();
		post(i);
	}
	pthread_join(thread, 0);
	return 0;
}
