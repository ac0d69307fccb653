/* swapped_in.c: a message is counted after it was swapped in, when others see it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
	struct message *older;
	int attempts;
	int text;
};

static _Atomic(struct message *) inbox;

static int post(int text)
{
	struct message *message = calloc(1, sizeof *message), *newest = atomic_load(&inbox);
	if (!message)
		return -1;
	message->text = text; /* NORACE */
	for (;;) {
		message->older = newest; /* NORACE */
		if (atomic_compare_exchange_weak(&inbox, &newest, message))
			break;
	}
	message->attempts++; /* RACE */
	return 0;
}

static void *sender(void *arg)
{
	for (int i = 0; i < 100; i++)
		post(i);
	return arg;
}

static void *reader(void *arg)
{
	long sum = 0;
	for (int i = 0; i < 100; i++) {
		struct message *message = atomic_exchange(&inbox, NULL);
		while (message) {
			struct message *older = message->older; /* NORACE */
			sum += message->text + message->attempts; /* RACE */
			free(message);
			message = older;
		}
	}
	return (void *)sum;
}

int main(void)
{
	pthread_t senders[2], readers;
	pthread_create(&readers, NULL, reader, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&senders[i], NULL, sender, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(senders[i], NULL);
	pthread_join(readers, NULL);
	return 0;
}
