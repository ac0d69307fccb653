/* A recursive mutex is held until the last unlock. */
#include <pthread.h>

static pthread_mutex_t tree_lock;
static int nodes, depth;

static void add_node(void)
{
	pthread_mutex_lock(&tree_lock); /* NODOUBLE-LOCK */
	nodes++; /* NORACE */
	pthread_mutex_unlock(&tree_lock);
}

static void *grow(void *argument)
{
	pthread_mutex_lock(&tree_lock);
	add_node();
	nodes++; /* NORACE */
	pthread_mutex_unlock(&tree_lock);
	depth++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_t a, b;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&tree_lock, &attributes);
	pthread_create(&a, NULL, grow, NULL);
	pthread_create(&b, NULL, grow, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return nodes; /* NORACE */
}
