/* A thread that starts another: what it wrote before, the other may read; what it writes meanwhile, not. */
#include <pthread.h>

static int blueprint, bricks, mortar;

static void *mason(void *argument)
{
	bricks += blueprint; /* NORACE */
	mortar++; /* RACE@a */
	return argument;
}

static void *architect(void *argument)
{
	pthread_t helper;
	blueprint = 12; /* NORACE */
	pthread_create(&helper, NULL, mason, NULL);
	mortar += 2; /* RACE@a */
	pthread_join(helper, NULL);
	bricks++; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t thread;
	bricks = 0; /* NORACE */
	pthread_create(&thread, NULL, architect, NULL);
	pthread_join(thread, NULL);
	return bricks; /* NORACE */
}
