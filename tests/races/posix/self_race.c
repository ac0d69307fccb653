/* The same function in several threads races with itself; in a single one it does not. */
#include <pthread.h>

static int parsed_total;
static int written_total;

static void *parser(void *argument)
{
	parsed_total++; /* RACE */
	return argument;
}

static void *writer(void *argument)
{
	written_total++; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t parsers[4], single;
	for (int i = 0; i < 4; i++)
		pthread_create(&parsers[i], NULL, parser, NULL);
	pthread_create(&single, NULL, writer, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(parsers[i], NULL);
	pthread_join(single, NULL);
	return parsed_total + written_total; /* NORACE */
}
