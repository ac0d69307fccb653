/* PLA, Figure 6, with a mutex around both. */
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct algorithm { int available; int desc; };
static struct algorithm aalg_list[16];
static DEFINE_MUTEX(pfkey_mutex);
extern int crypto_has_ahash(int i);

static int compose_sadb_supported(void *unused)
{
	int n = 0;
	mutex_lock(&pfkey_mutex);
	for (int i = 0; i < 16; i++)
		if (aalg_list[i].available) /* NORACE */
			n += aalg_list[i].desc; /* NORACE */
	mutex_unlock(&pfkey_mutex);
	return n;
}

static int xfrm_probe_algs(void *unused)
{
	mutex_lock(&pfkey_mutex);
	for (int i = 0; i < 16; i++) {
		int status = crypto_has_ahash(i);
		if (aalg_list[i].available != status) /* NORACE */
			aalg_list[i].available = status; /* NORACE */
	}
	mutex_unlock(&pfkey_mutex);
	return 0;
}

int pfkey_start(void)
{
	kthread_run(compose_sadb_supported, NULL, "A");
	kthread_run(xfrm_probe_algs, NULL, "B");
	return 0;
}
