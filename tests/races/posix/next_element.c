/* What is put into an element once its thread was started, by the one who starts it. */
#include <pthread.h>
#include <stdint.h>

struct part { int from, to; long sum; };
static struct part parts[4];
static int limits[4];

static void *by_address(void *argument)
{
	struct part *part = argument;
	int i;
	for (i = part->from; i < part->to; i++)
		part->sum += i;
	return 0;
}

static void *by_number(void *argument)
{
	intptr_t me = (intptr_t)argument;
	return (void *)(intptr_t)limits[me];
}

int main(void)
{
	pthread_t first[4], second[4];
	long total = 0;
	int i;
	intptr_t k;
	for (i = 0; i < 4; i++) {
		parts[i].from = i; /* NORACE */
		pthread_create(&first[i], 0, by_address, &parts[i]);
		parts[i].to = 100 * i; /* RACE */
	}
	for (k = 0; k < 4; k++) {
		limits[k] = (int)k; /* NORACE */
		pthread_create(&second[k], 0, by_number, (void *)k);
		limits[k] = 3; /* RACE */
	}
	for (i = 0; i < 4; i++) {
		total += parts[i].sum; /* RACE */
		pthread_join(first[i], 0);
		pthread_join(second[i], 0);
	}
	return (int)total;
}
