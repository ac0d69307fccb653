/* What pthread_getspecific gives belongs to this thread. */
#include <pthread.h>
#include <stdlib.h>

struct scratch { char text[64]; int used; };
static pthread_key_t scratch_key;
static int scratch_count;

static struct scratch *scratch_get(void)
{
	struct scratch *scratch = pthread_getspecific(scratch_key);
	if (!scratch) {
		scratch = calloc(1, sizeof *scratch);
		if (!scratch)
			abort();
		pthread_setspecific(scratch_key, scratch);
		scratch_count++; /* RACE */
	}
	return scratch;
}

static void *formatter(void *argument)
{
	struct scratch *scratch = scratch_get();
	scratch->text[0] = '%'; /* NORACE */
	scratch->used++; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t threads[3];
	pthread_key_create(&scratch_key, free);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, formatter, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return scratch_count; /* NORACE */
}
