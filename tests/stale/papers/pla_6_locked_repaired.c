/* PLA, Figure 6, repaired: not more than the buffer has room for. */
#include <linux/mutex.h>
#include <linux/slab.h>

struct aalg { int avail; char desc; };
struct aalg_list { struct mutex lock; int len; struct aalg algs[64]; };
static struct aalg_list aalgs_list;

void xfrm_probe_algs(int status)
{
	mutex_lock(&aalgs_list.lock);
	aalgs_list.len += status;
	mutex_unlock(&aalgs_list.lock);
}

char *compose_sadb_supported(void)
{
	int i, auth_len;
	char *ptr;
	mutex_lock(&aalgs_list.lock);
	auth_len = aalgs_list.len;
	mutex_unlock(&aalgs_list.lock);
	ptr = kmalloc(auth_len, GFP_KERNEL);
	mutex_lock(&aalgs_list.lock);
	for (i = 0; i < aalgs_list.len && i < auth_len; i++) /* NOSTALE-COPY */
		ptr[i] = aalgs_list.algs[i].desc;
	mutex_unlock(&aalgs_list.lock);
	return ptr;
}
