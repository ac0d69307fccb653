#include <stdatomic.h>
#include <threads.h>
#include <stdint.h>

#define BATCH 64
#define ITEMS 6400

static atomic_size_t taken;
static uint32_t hashes[ITEMS];

static int hasher(void *arg)
{
	(void)arg;
	for (;;) {
		size_t from = atomic_fetch_add(&taken, BATCH);
		if (from >= ITEMS)
			return 0;
		for (size_t i = from; i < from + BATCH; i++)
			hashes[i] = (uint32_t)i * 2654435761u; // NORACE
	}
}

int main(void)
{
	thrd_t t[4];
	for (int i = 0; i < 4; i++)
		thrd_create(&t[i], hasher, NULL);
	for (int i = 0; i < 4; i++)
		thrd_join(t[i], NULL);
	return (int)hashes[5];
}
