/* A parser counts in one of three places, chosen by what it has read, under the lock of all. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct { int words, lines; } counted;
static int others;

static int *place_for(int c)
{
	if (c == '\n')
		return &counted.lines;
	return c == ' ' ? &counted.words : &others;
}

static void count(int c)
{
	int *place = place_for(c);
	pthread_mutex_lock(&mutex);
	*place += 1; /* NORACE */
	pthread_mutex_unlock(&mutex);
}

static void *parse(void *argument)
{
	for (const char *at = argument; *at; at++)
		count(*at);
	return NULL;
}

static void show(void)
{
	pthread_mutex_lock(&mutex);
	printf("%d lines\n", counted.lines); /* NORACE */
	printf("%d words\n", counted.words); /* NORACE */
	printf("%d others\n", others); /* NORACE */
	pthread_mutex_unlock(&mutex);
}

int main(void)
{
	pthread_t thread;
	static char text[] = "one two\nthree";
	pthread_create(&thread, NULL, parse, text);
	show();
	pthread_join(thread, NULL);
	return 0;
}
