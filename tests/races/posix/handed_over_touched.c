/* handed_over.c with a creator that still writes to the request when its thread already has it. */
#include <pthread.h>
#include <stdlib.h>

struct request { int client; int bytes; };

static void *handle(void *argument)
{
	struct request *request = argument;
	request->bytes += request->client; /* RACE */
	return NULL;
}

static int accept_one(int client)
{
	pthread_t thread;
	struct request *request = malloc(sizeof *request);
	if (!request)
		return -1;
	request->client = client; /* NORACE */
	if (pthread_create(&thread, NULL, handle, request))
		return -1;
	request->bytes = 0; /* RACE */
	return pthread_join(thread, NULL);
}

int main(void)
{
	return accept_one(1);
}
