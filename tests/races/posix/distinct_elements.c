/* Each thread has its own element, by the number or the address it is given; the total is everybody's. */
#include <pthread.h>
#include <stdint.h>

struct part { int from, to; long sum; };
static long sums[4], total;
static struct part parts[4];

static void *by_number(void *argument)
{
	intptr_t me = (intptr_t)argument;
	sums[me] += me; /* NORACE */
	total += me; /* RACE */
	return NULL;
}

static void *by_address(void *argument)
{
	struct part *part = argument;
	for (int i = part->from; i < part->to; i++) /* NORACE */
		part->sum += i; /* NORACE */
	return NULL;
}

int main(void)
{
	pthread_t first[4], second[4];
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&first[i], NULL, by_number, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(first[i], NULL);
	for (int i = 0; i < 4; i++) {
		parts[i].to = 100 * i; /* NORACE */
		pthread_create(&second[i], NULL, by_address, &parts[i]);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(second[i], NULL);
		total += parts[i].sum; /* NORACE */
	}
	return total != 0; /* NORACE */
}
