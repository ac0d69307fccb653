/*
 * Voung's dissertation, Figure 4.8: one routine frees trees, with the function it is given. Who is told apart by that is
 * only ever called by whoever names it: free_client always under the lock, free_vars never.
 */
#include <pthread.h>
#include <stdlib.h>

struct tree { void *keys[8]; int count; };
static pthread_mutex_t sources_lock = PTHREAD_MUTEX_INITIALIZER;
static int clients;
static struct tree sources;

static void avl_tree_free(struct tree *tree, int (*free_key_fun)(void *key))
{
	for (int i = 0; i < tree->count; i++)
		free_key_fun(tree->keys[i]);
}

static int free_vars(void *key)
{
	free(key);
	return 1;
}

static void httpp_clear(struct tree *vars) { avl_tree_free(vars, free_vars); }

static int free_client(void *key)
{
	struct tree vars = { .count = 0 };
	clients--; /* NORACE */
	httpp_clear(&vars);
	return key != NULL;
}

static void *source_free_source(void *argument)
{
	struct tree own = { .count = 0 };
	httpp_clear(&own);
	pthread_mutex_lock(&sources_lock);
	avl_tree_free(&sources, free_client);
	pthread_mutex_unlock(&sources_lock);
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, source_free_source, NULL);
	pthread_mutex_lock(&sources_lock);
	clients++; /* NORACE */
	pthread_mutex_unlock(&sources_lock);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
