/* Two threads stamp lines with the time that localtime keeps for all. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>


static void stamp(const char *text)
{
	time_t now = time(NULL);
	struct tm *at = localtime(&now); /* RACE */
	printf("%02d:%02d %s\n", at->tm_hour, at->tm_min, text);
}

static void *reader(void *argument)
{
	stamp("read");
	return argument;
}

static void *writer(void *argument)
{
	stamp("written");
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
