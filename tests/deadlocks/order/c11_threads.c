/* The threads of C11. */
#include <threads.h>

static mtx_t log_lock, file_lock;
static int lines, files;

static int writer(void *argument)
{
	mtx_lock(&file_lock);
	mtx_lock(&log_lock); /* DEADLOCK@a */
	lines += files;
	mtx_unlock(&log_lock);
	mtx_unlock(&file_lock);
	return argument == NULL;
}

static int rotator(void *argument)
{
	mtx_lock(&log_lock);
	if (mtx_trylock(&file_lock) != thrd_success) {
		mtx_unlock(&log_lock);
		return 1; /* NOLEAK */
	}
	files++;
	mtx_unlock(&file_lock);
	mtx_lock(&file_lock); /* DEADLOCK@a */
	lines = 0;
	mtx_unlock(&file_lock);
	mtx_unlock(&log_lock);
	return argument == NULL;
}

int main(void)
{
	thrd_t threads[2];
	mtx_init(&log_lock, mtx_plain);
	mtx_init(&file_lock, mtx_plain);
	thrd_create(&threads[0], writer, NULL);
	thrd_create(&threads[1], rotator, NULL);
	thrd_join(threads[0], NULL);
	thrd_join(threads[1], NULL);
	return 0;
}
