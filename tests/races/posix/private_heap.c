/* Memory that never leaves its thread, though its type is shared elsewhere. */
#include <pthread.h>
#include <stdlib.h>

struct buffer { pthread_mutex_t lock; int used; int limit; };
static struct buffer common = { PTHREAD_MUTEX_INITIALIZER, 0, 100 };

static void *worker(void *argument)
{
	struct buffer *own = calloc(1, sizeof *own);
	struct buffer local = { .used = 0 };
	if (!own)
		return NULL;
	own->used = 3; /* NORACE */
	local.used += own->used; /* NORACE */
	pthread_mutex_lock(&common.lock);
	common.used += local.used; /* NORACE */
	pthread_mutex_unlock(&common.lock);
	common.limit++; /* RACE */
	free(own); /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return common.used; /* NORACE */
}
