#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFSZ 64

static char the_buffer[BUFSZ];


static char *get_buffer(void)
{
	return the_buffer;
}

/* like strerror(): valid until this thread's next call */
const char *describe(int code)
{
	char *b = get_buffer();

	b[0] = (char)('A' + code % 26); // RACE!
	b[1] = '\0';
	return b;
}

static void *run(void *arg)
{
	size_t len = 0;
	int i;

	for (i = 0; i < 100; i++)
		len += strlen(describe(i + (int)(long)arg));
	printf("%zu\n", len);
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	long i;
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, run, (void *)i);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
