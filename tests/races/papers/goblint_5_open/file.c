/*
 * Goblint, example 5: the system gives a file to one thread at a time, so open and close of one file never run in
 * parallel; of two files they do, and both count in g.
 */
#include <pthread.h>

struct file { int data; };
extern struct file *next_file(void);
static int g;

static void file_open(struct file *f)
{
	g++; /* RACE */
	f->data++; /* NORACE */
}

static void file_close(struct file *f)
{
	g--; /* RACE */
	f->data--; /* NORACE */
}

static void *opener(void *argument)
{
	file_open(next_file());
	return argument;
}

static void *closer(void *argument)
{
	file_close(next_file());
	return argument;
}

int main(void)
{
	pthread_t threads[16];
	for (int i = 0; i < 8; i++) {
		pthread_create(&threads[2 * i], NULL, opener, NULL);
		pthread_create(&threads[2 * i + 1], NULL, closer, NULL);
	}
	for (int i = 0; i < 16; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
