/* The argument is allocated and filled by the creator, and from then on the thread's alone. */
#include <pthread.h>
#include <stdlib.h>

struct request { int client; int bytes; };
static int served;

static void *handle(void *argument)
{
	struct request *request = argument;
	request->bytes += request->client; /* NORACE */
	served++; /* RACE */
	free(request); /* NORACE */
	return NULL;
}

static int accept_one(int client)
{
	pthread_t thread;
	struct request *request = malloc(sizeof *request);
	if (!request)
		return -1;
	request->client = client; /* NORACE */
	request->bytes = 0; /* NORACE */
	if (pthread_create(&thread, NULL, handle, request))
		return -1;
	pthread_detach(thread);
	return 0;
}

int main(void)
{
	for (int client = 0; client < 100; client++)
		if (accept_one(client))
			return 1;
	return 0;
}
