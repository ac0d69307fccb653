/* Voung's dissertation, Figure 4.12, repaired: every element of the table takes the lock. */
#include <pthread.h>
#include <stdint.h>

struct cmdarg { int cmdchar; };
struct nv_cmd { int cmd_char; void (*cmd_func)(struct cmdarg *cap); };

static int beeps, clicks;
static pthread_mutex_t click_lock = PTHREAD_MUTEX_INITIALIZER;

static void nv_error(struct cmdarg *cap)
{
	pthread_mutex_lock(&click_lock);
	beeps += cap->cmdchar; /* NORACE */
	pthread_mutex_unlock(&click_lock);
}
static void nv_ignore(struct cmdarg *cap) { cap->cmdchar = 0; }
static void nv_mouse(struct cmdarg *cap)
{
	pthread_mutex_lock(&click_lock);
	clicks += cap->cmdchar; /* NORACE */
	pthread_mutex_unlock(&click_lock);
}

static const struct nv_cmd nv_cmds[] = {
	{ 'e', nv_error },
	{ 'm', nv_mouse },
	{ 'n', nv_mouse },
	{ 'i', nv_ignore },
};

static void *normal_cmd(void *argument)
{
	struct cmdarg ca = { (int)(intptr_t)argument };
	int idx = 0;
	while (idx < 3 && nv_cmds[idx].cmd_char != ca.cmdchar)
		idx++;
	nv_cmds[idx].cmd_func(&ca);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, normal_cmd, (void *)("emni"[i] + (intptr_t)0));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
