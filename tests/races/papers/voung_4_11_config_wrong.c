/*
 * Voung's dissertation, Figure 4.11, wrong: what get_remote_group counts in is one for all.
 */
#include <pthread.h>
#include <string.h>

struct pager_config { const char *cmd; int value; };

static void git_config(int (*fn)(const char *name, void *data), void *data)
{
	fn("pager", data);
	fn("remote", data);
}

static int pager_config(const char *name, void *data)
{
	struct pager_config *config = data;
	config->value = !strcmp(name, config->cmd); /* NORACE */
	return 0;
}

static int get_remote_group(const char *name, void *num_hits)
{
	int *tmp = num_hits;
	*tmp = *tmp + (name != NULL); /* RACE */
	return 0;
}

static void *check_pager(void *argument)
{
	struct pager_config config = { .cmd = "pager" };
	git_config(pager_config, &config);
	return config.value ? argument : NULL;
}

static void *fetch(void *argument)
{
	static int hits;
	git_config(get_remote_group, &hits);
	return argument;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 2; i++) {
		pthread_create(&threads[2 * i], NULL, check_pager, NULL);
		pthread_create(&threads[2 * i + 1], NULL, fetch, NULL);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
