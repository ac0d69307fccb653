// racerx-verdict: shown
/* A work item and an ioctl: the mutex of the device is around all uses but that of the work item. */
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct scanner { struct mutex mutex; struct work_struct work; int lamp; int pages; };

static void scanner_work(struct work_struct *work)
{
	struct scanner *scanner = container_of(work, struct scanner, work);
	scanner->lamp = 0; /* RACE */
	mutex_lock(&scanner->mutex);
	scanner->pages = 0; /* NORACE */
	mutex_unlock(&scanner->mutex);
}

static long scanner_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct scanner *scanner = file->private_data;
	mutex_lock(&scanner->mutex);
	scanner->lamp = arg;
	scanner->pages++; /* NORACE */
	mutex_unlock(&scanner->mutex);
	schedule_work(&scanner->work);
	return 0;
}

static const struct file_operations scanner_fops = { .unlocked_ioctl = scanner_ioctl };

void scanner_on(struct scanner *s) { mutex_lock(&s->mutex); s->lamp = 1; mutex_unlock(&s->mutex); }
void scanner_off(struct scanner *s) { mutex_lock(&s->mutex); s->lamp = 0; mutex_unlock(&s->mutex); }
void scanner_dim(struct scanner *s) { mutex_lock(&s->mutex); s->lamp /= 2; mutex_unlock(&s->mutex); }
void scanner_glow(struct scanner *s) { mutex_lock(&s->mutex); s->lamp++; mutex_unlock(&s->mutex); }
int scanner_lit(struct scanner *s) { int is; mutex_lock(&s->mutex); is = s->lamp > 0; mutex_unlock(&s->mutex); return is; }
int scanner_lamp(struct scanner *s) { int l; mutex_lock(&s->mutex); l = s->lamp; mutex_unlock(&s->mutex); return l; }
int scanner_dark(struct scanner *s) { int is; mutex_lock(&s->mutex); is = !s->lamp; mutex_unlock(&s->mutex); return is; }

int scanner_init(struct scanner *scanner)
{
	mutex_init(&scanner->mutex);
	INIT_WORK(&scanner->work, scanner_work);
	return 0;
}
