/* errno is one per thread; an error variable of the program's own is not. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static int last_error;

static int copy(int from, int to)
{
	char buffer[512];
	ssize_t got;
	errno = 0; /* NORACE */
	got = read(from, buffer, sizeof buffer);
	if (got < 0 && errno == EINTR) /* NORACE */
		return 0;
	if (got < 0 || write(to, buffer, got) != got) {
		last_error = errno; /* RACE */
		return -1;
	}
	return 0;
}

static void *copier(void *argument)
{
	return copy(0, 1) ? NULL : argument;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, copier, NULL);
	pthread_create(&threads[1], NULL, copier, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return last_error; /* NORACE */
}
