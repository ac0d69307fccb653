/* Two members of a union are one place. */
#include <pthread.h>

static union { int number; char bytes[4]; } cell;
static struct { int number; char bytes[4]; } pair;

static void *set_number(void *argument)
{
	cell.number = 7; /* RACE */
	pair.number = 7; /* NORACE */
	return argument;
}

static void *set_bytes(void *argument)
{
	cell.bytes[0] = 1; /* RACE */
	pair.bytes[0] = 1; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, set_number, NULL);
	pthread_create(&b, NULL, set_bytes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
