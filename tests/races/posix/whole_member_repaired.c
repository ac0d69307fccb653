/* A record inside another is cleared as a whole, behind a parameter, with its lock held. */
#include <pthread.h>
#include <string.h>

struct counters { unsigned long in, out; };
struct port { pthread_mutex_t lock; struct counters counted; };
static struct port ports[2];

static void came_in(struct port *port)
{
	pthread_mutex_lock(&port->lock);
	port->counted.in++;
	pthread_mutex_unlock(&port->lock);
}

static void clear(struct port *port)
{
	pthread_mutex_lock(&port->lock);
	memset(&port->counted, 0, sizeof port->counted); /* NORACE */
	pthread_mutex_unlock(&port->lock);
}

static void *traffic(void *port)
{
	int i;
	for (i = 0; i < 100; i++)
		came_in(port);
	return 0;
}

static void *clerk(void *unused)
{
	int i;
	for (i = 0; i < 10; i++)
		clear(&ports[i % 2]);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	pthread_mutex_init(&ports[0].lock, 0);
	pthread_mutex_init(&ports[1].lock, 0);
	pthread_create(&a, 0, traffic, &ports[0]);
	pthread_create(&b, 0, clerk, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
