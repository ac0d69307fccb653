/* What a library calls back runs in threads that main starts: main goes on setting up when they run. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int open_requests, limit;

void library_on_request(void (*callback)(int));
void library_run(void);

static void request(int number)
{
	pthread_mutex_lock(&lock);
	if (open_requests < limit)
		open_requests += number;
	limit++;
	pthread_mutex_unlock(&lock);
}

static void *serve(void *argument)
{
	library_run();
	return argument;
}

int main(void)
{
	pthread_t thread;
	library_on_request(request);
	pthread_create(&thread, NULL, serve, NULL);
	limit = 10; /* RACE */
	open_requests = 0; /* RACE */
	pthread_join(thread, NULL);
	return 0;
}
