// racerx-verdict: shown
/* The helper's callers hold the mutex, but for one who let it go too soon. */
#include <linux/mutex.h>
#include <linux/slab.h>

struct volume { struct mutex mutex; int mounted; int errors; };

static void volume_error(struct volume *v)
{
	v->errors++; /* RACE */
}

void volume_mount(struct volume *v) { mutex_lock(&v->mutex); v->mounted = 1; /* NORACE */ mutex_unlock(&v->mutex); }
void volume_read(struct volume *v) { mutex_lock(&v->mutex); volume_error(v); mutex_unlock(&v->mutex); }
void volume_write(struct volume *v) { mutex_lock(&v->mutex); volume_error(v); mutex_unlock(&v->mutex); }
void volume_sync(struct volume *v) { mutex_lock(&v->mutex); volume_error(v); mutex_unlock(&v->mutex); }
void volume_trim(struct volume *v) { mutex_lock(&v->mutex); volume_error(v); mutex_unlock(&v->mutex); }
void volume_clear(struct volume *v) { mutex_lock(&v->mutex); v->errors = 0; mutex_unlock(&v->mutex); }
void volume_halve(struct volume *v) { mutex_lock(&v->mutex); v->errors /= 2; mutex_unlock(&v->mutex); }
int volume_errors(struct volume *v) { int n; mutex_lock(&v->mutex); n = v->errors; mutex_unlock(&v->mutex); return n; }
int volume_bad(struct volume *v) { int n; mutex_lock(&v->mutex); n = v->errors > 9; mutex_unlock(&v->mutex); return n; }
int volume_good(struct volume *v) { int n; mutex_lock(&v->mutex); n = !v->errors; mutex_unlock(&v->mutex); return n; }
void volume_load(struct volume *v, int n) { mutex_lock(&v->mutex); v->errors = n; mutex_unlock(&v->mutex); }

void volume_unmount(struct volume *v)
{
	mutex_lock(&v->mutex);
	v->mounted = 0; /* NORACE */
	mutex_unlock(&v->mutex);
	volume_error(v);
}
