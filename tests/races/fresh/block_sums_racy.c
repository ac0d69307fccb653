#include <pthread.h>
#include <stdlib.h>

/* Each worker hashes one block; the blocks are added up before the workers are waited for. */
struct block {
	const unsigned char *from;
	size_t length;
	unsigned long hash;
	unsigned seen;
	pthread_t worker;
};

static void *hash_block(void *given)
{
	struct block *block = given;

	for (size_t i = 0; i < block->length; i++) {
		block->hash = block->hash * 33 + block->from[i];
		block->seen++;
	}
	return NULL;
}

static unsigned long add_up(const struct block *blocks, int count, unsigned *seen)
{
	unsigned long sum = 0;

	for (const struct block *end = blocks + count; blocks < end; blocks++) {
		sum ^= blocks->hash; // RACE
		*seen += blocks->seen; // RACE
	}
	return sum;
}

unsigned long hash_all(const unsigned char *text, size_t length, int workers)
{
	struct block *blocks = calloc((size_t)workers, sizeof *blocks);
	unsigned long sum;
	unsigned seen = 0;
	size_t part = length / (size_t)workers;

	for (int n = 0; n < workers; n++) {
		blocks[n].from = text + part * (size_t)n; // NORACE
		blocks[n].length = part; // NORACE
		pthread_create(&blocks[n].worker, NULL, hash_block, blocks + n);
	}
	sum = add_up(blocks, workers, &seen);
	for (int n = 0; n < workers; n++)
		pthread_join(blocks[n].worker, NULL);
	free(blocks);
	return seen == length ? sum : 0;
}

int main(int argc, char **argv)
{
	static unsigned char text[65536];

	return argc > 1 && hash_all(text, sizeof text, atoi(argv[1])) == 0;
}
