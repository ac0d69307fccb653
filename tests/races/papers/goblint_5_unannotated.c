/* Goblint, example 5, where nobody says that two threads are never given one file: then they may be. */
#include <pthread.h>

struct file { int data; };
extern struct file *next_file(void);
static int g;

static void file_open(struct file *f)
{
	g++; /* RACE */
	f->data++; /* RACE */
}

static void file_close(struct file *f)
{
	g--; /* RACE */
	f->data--; /* RACE */
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
