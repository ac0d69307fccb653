/* An error ladder: the label behind the unlock is outside. */
#include <pthread.h>

static pthread_mutex_t disk_lock = PTHREAD_MUTEX_INITIALIZER;
static int free_blocks = 64, dirty, write_errors, calls;

static int block_write(int count)
{
	int error = -1;
	pthread_mutex_lock(&disk_lock);
	if (count > free_blocks) /* NORACE */
		goto unlock;
	free_blocks -= count; /* NORACE */
	if (dirty) /* NORACE */
		goto unlock;
	dirty = 1; /* NORACE */
	error = 0;
unlock:
	calls++; /* NORACE */
	pthread_mutex_unlock(&disk_lock);
	if (error)
		write_errors++; /* RACE */
	return error;
}

static void *writer(void *argument)
{
	return block_write(4) ? NULL : argument;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, writer, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return write_errors; /* NORACE */
}
