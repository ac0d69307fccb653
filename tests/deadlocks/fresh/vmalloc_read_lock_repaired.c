#include <linux/vmalloc.h>
#include <linux/spinlock.h>
#include <linux/fs.h>

struct snap { void *mem; size_t size; };

static DEFINE_RWLOCK(snap_lock);
static size_t live_size = 4096;

static int snap_grab(struct snap *s)
{
	s->mem = vmalloc(s->size);
	return s->mem ? 0 : -ENOMEM;
}

int snap_take(struct snap *s)
{
	int ret;

	read_lock(&snap_lock);
	s->size = live_size;
	read_unlock(&snap_lock);
	ret = snap_grab(s);
	return ret;
}
EXPORT_SYMBOL(snap_take);

void snap_resize(size_t n)
{
	write_lock(&snap_lock);
	live_size = n;
	write_unlock(&snap_lock);
}
EXPORT_SYMBOL(snap_resize);
