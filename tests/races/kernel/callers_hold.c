/* The helper takes no lock; everybody who calls it has. */
#include <linux/mutex.h>
#include <linux/slab.h>

struct volume { struct mutex mutex; int mounted; int errors; };

static void volume_error(struct volume *v)
{
	v->errors++; /* NORACE */
	v->mounted = 0; /* NORACE */
}

static void volume_check(struct volume *v)
{
	if (v->errors > 3) /* NORACE */
		volume_error(v);
}

void volume_mount(struct volume *v) { mutex_lock(&v->mutex); v->mounted = 1; /* NORACE */ volume_check(v); mutex_unlock(&v->mutex); }
void volume_read(struct volume *v) { mutex_lock(&v->mutex); volume_error(v); mutex_unlock(&v->mutex); }
void volume_write(struct volume *v) { mutex_lock(&v->mutex); volume_check(v); mutex_unlock(&v->mutex); }
void volume_sync(struct volume *v) { mutex_lock(&v->mutex); volume_error(v); mutex_unlock(&v->mutex); }
