#include <zephyr/kernel.h>

static struct k_mutex cfg_lock;
static struct k_work save_work;
static int dirty;

static void save_handler(struct k_work *w)
{
	k_mutex_lock(&cfg_lock, K_FOREVER);
	dirty = 0;
	k_mutex_unlock(&cfg_lock);
}

void cfg_set(int v)
{
	struct k_work_sync sync;

	k_mutex_lock(&cfg_lock, K_FOREVER);
	dirty = v;
	k_work_submit(&save_work);
	k_mutex_unlock(&cfg_lock);
	k_work_flush(&save_work, &sync);
}

int cfg_init(void)
{
	k_mutex_init(&cfg_lock);
	k_work_init(&save_work, save_handler);
	return 0;
}
SYS_INIT(cfg_init, APPLICATION, 0);
