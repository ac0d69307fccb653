/* A recursive mutex of the program's own, declared: inner unlocks do not let it go. */
#include <pthread.h>

struct monitor { int owner, depth; };
extern void monitor_enter(struct monitor *monitor);
extern void monitor_exit(struct monitor *monitor);

static struct monitor tree;
static int nodes, height, walks;

static void add_node(void)
{
	monitor_enter(&tree); /* NODOUBLE-LOCK */
	nodes++; /* NORACE */
	monitor_exit(&tree);
}

static void *grow(void *argument)
{
	monitor_enter(&tree);
	add_node();
	height = nodes; /* NORACE */
	monitor_exit(&tree);
	walks++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, grow, NULL);
	pthread_create(&b, NULL, grow, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return height; /* NORACE */
}
