// racerx: --preset linux
/*
 * PLA, Figure 6: one thread counts the available algorithms, allocates, and counts again, while another sets
 * which are available.
 */
#include <linux/kthread.h>
#include <linux/slab.h>

struct algorithm { int available; int desc; };
static struct algorithm aalg_list[16];
extern int crypto_has_ahash(int i);

static int available_count(void)
{
	int n = 0;
	for (int i = 0; i < 16; i++)
		if (aalg_list[i].available) /* RACE */
			n++;
	return n;
}

static int compose_sadb_supported(void *unused)
{
	int auth_len = available_count();
	int *ptr = kmalloc(auth_len * sizeof(int), GFP_KERNEL);
	if (!ptr)
		return -ENOMEM;
	for (int i = 0; i < 16; i++)
		if (aalg_list[i].available) /* RACE */
			*ptr++ = aalg_list[i].desc; /* NORACE */
	return 0;
}

static int xfrm_probe_algs(void *unused)
{
	for (int i = 0; i < 16; i++) {
		int status = crypto_has_ahash(i);
		if (aalg_list[i].available != status)
			aalg_list[i].available = status; /* RACE */
	}
	return 0;
}

int pfkey_start(void)
{
	kthread_run(compose_sadb_supported, NULL, "A");
	kthread_run(xfrm_probe_algs, NULL, "B");
	return 0;
}
