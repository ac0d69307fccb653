/* The lock is held for the whole walk. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct client { struct client *next; int fd; };
static struct client *clients;
static pthread_mutex_t clients_mutex = PTHREAD_MUTEX_INITIALIZER;

static void client_remove(int fd)
{
	struct client **link, *client;

	pthread_mutex_lock(&clients_mutex);
	for (link = &clients; (client = *link) != NULL; link = &client->next)
		if (client->fd == fd) {
			*link = client->next;
			free(client);
			break;
		}
	pthread_mutex_unlock(&clients_mutex);
}

static void *broadcast(void *text)
{
	struct client *client;

	pthread_mutex_lock(&clients_mutex);
	client = clients;
	while (client) {
		write(client->fd, text, 1); /* NOESCAPED */
		client = client->next;
	}
	pthread_mutex_unlock(&clients_mutex);
	return NULL;
}

static void *reader(void *fd)
{
	char byte;

	while (read(*(int *)fd, &byte, 1) == 1)
		continue;
	client_remove(*(int *)fd);
	return NULL;
}

int main(void)
{
	static int fd = 5;
	pthread_t a, b;

	pthread_create(&a, NULL, reader, &fd);
	pthread_create(&b, NULL, broadcast, "x");
	pthread_join(a, NULL);
	return 0;
}
