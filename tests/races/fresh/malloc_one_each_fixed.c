#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct worker_ctx {
	unsigned idx;
	unsigned processed;
	unsigned char scratch[256];
} worker_ctx;

static void *
worker(void *opaque)
{
	worker_ctx	*ctx = (worker_ctx *)opaque;
	unsigned	 i;

	for (i = 0; i < 256; i++) {
		ctx->scratch[i] = (unsigned char)(i ^ ctx->idx); // NORACE
		ctx->processed++; // NORACE
	}
	free(ctx);
	return (NULL);
}

int
main(int argc, char *argv[])
{
	pthread_t	*tids;
	worker_ctx	*ctx;
	int		 n = argc > 1 ? atoi(argv[1]) : 4;
	int		 i;

	if (n < 1 || n > 64)
		return (1);
	tids = calloc(n, sizeof(*tids));
	for (i = 0; i < n; i++) {
		ctx = calloc(1, sizeof(*ctx));
		ctx->idx = i;
		if (pthread_create(&tids[i], NULL, worker, ctx) != 0)
			abort();
	}
	for (i = 0; i < n; i++)
		pthread_join(tids[i], NULL);
	free(tids);
	return (0);
}
