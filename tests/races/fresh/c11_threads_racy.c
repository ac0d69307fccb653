#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

enum { WORKERS = 3, ROUNDS = 250 };

typedef struct wordcount {
	mtx_t mtx;
	size_t words;
	size_t lines;
} wordcount;

static wordcount wc;

static int reader(void *arg)
{
	unsigned x = *(unsigned *)arg;
	for (int i = 0; i < ROUNDS; i++) {
		x = x * 1103515245u + 12345u;
		if (mtx_lock(&wc.mtx) != thrd_success)
			abort();
		wc.words += x % 10;
		mtx_unlock(&wc.mtx);
		wc.lines += 1; // RACE!
	}
	return 0;
}

int main(void)
{
	thrd_t t[WORKERS];
	unsigned seeds[WORKERS];

	if (mtx_init(&wc.mtx, mtx_plain) != thrd_success)
		return EXIT_FAILURE;
	for (int i = 0; i < WORKERS; i++) {
		seeds[i] = 77u + i;
		if (thrd_create(&t[i], reader, &seeds[i]) != thrd_success)
			return EXIT_FAILURE;
	}
	for (int i = 0; i < WORKERS; i++) {
		int res;
		thrd_join(t[i], &res);
	}
	printf("%zu words in %zu lines\n", wc.words, wc.lines);
	mtx_destroy(&wc.mtx);
	return EXIT_SUCCESS;
}
