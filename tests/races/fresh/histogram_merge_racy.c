#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 26

static unsigned total[LETTERS];
static pthread_mutex_t merge_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct chunk {
	const char *text;
	size_t len;
} chunk;

static void *count(void *vp)
{
	chunk *c = (chunk *)vp;
	unsigned mine[LETTERS];
	size_t i;

	memset(mine, 0, sizeof mine);
	for (i = 0; i < c->len; i++)
		if (c->text[i] >= 'a' && c->text[i] <= 'z')
			mine[c->text[i] - 'a']++;

	for (i = 0; i < LETTERS; i++)
		total[i] += mine[i]; // RACE!
	free(c);
	return NULL;
}

int main(void)
{
	static const char text[] = "it was the best of times it was the worst of times";
	size_t step = 10, at;
	pthread_t t[8];
	int n = 0, i;

	for (at = 0; at + 1 < sizeof text && n < 8; at += step, n++) {
		chunk *c = malloc(sizeof *c);
		c->text = text + at;
		c->len = sizeof text - 1 - at < step ? sizeof text - 1 - at : step;
		pthread_create(&t[n], NULL, count, c);
	}
	for (i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < LETTERS; i++)
		if (total[i])
			printf("%c %u\n", 'a' + i, total[i]);
	return 0;
}
