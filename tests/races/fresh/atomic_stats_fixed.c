#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct stats {
	atomic_ulong hits;
	_Atomic unsigned long misses;
	atomic_ulong bytes;
};

static struct stats st;

static void on_request(int hit, unsigned long size)
{
	if (hit)
		atomic_fetch_add_explicit(&st.hits, 1, memory_order_relaxed);
	else
		st.misses++;
	st.bytes += size; // NORACE
}

static void *client(void *arg)
{
	int i;
	for (i = 0; i < 1000; i++)
		on_request(i % 3, (unsigned long)i);
	return arg;
}

int main(void)
{
	pthread_t t[4];
	int i;
	for (i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, client, NULL) != 0)
			return 1;
	while (atomic_load(&st.hits) + atomic_load(&st.misses) < 4000)
		;
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%lu %lu %lu\n", (unsigned long)st.hits, (unsigned long)st.misses, (unsigned long)st.bytes);
	return 0;
}
