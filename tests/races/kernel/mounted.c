// racerx-verdict: shown
/* What only mounting calls is part of making the file system; a helper that its users call as well is not. */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/spinlock.h>

struct disk { spinlock_t lock; int dirty; int used; int wasted; };

static void scan_dirty(struct disk *disk)
{
	disk->dirty += 2; /* NORACE */
}

static void scan(struct disk *disk)
{
	scan_dirty(disk);
	disk->used = 1; /* NORACE */
}

static void account(struct disk *disk)
{
	disk->wasted++; /* RACE */
}

static int disk_fill_super(struct super_block *sb, void *data, int silent)
{
	struct disk *disk = sb->s_fs_info;

	scan(disk);
	account(disk);
	return 0;
}

static struct dentry *disk_mount(struct file_system_type *type, int flags, const char *name, void *data)
{
	return mount_bdev(type, flags, name, data, disk_fill_super);
}
struct file_system_type disk_type = { .mount = disk_mount };

static ssize_t disk_write(struct file *file, const char *from, size_t size, loff_t *at)
{
	struct disk *disk = file->private_data;

	account(disk);
	spin_lock(&disk->lock);
	disk->dirty++;
	disk->used++;
	disk->wasted = 0;
	spin_unlock(&disk->lock);
	return size;
}

static ssize_t disk_read(struct file *file, char *to, size_t size, loff_t *at)
{
	struct disk *disk = file->private_data;
	ssize_t count;

	spin_lock(&disk->lock);
	count = disk->dirty + disk->used + disk->wasted;
	spin_unlock(&disk->lock);
	return count;
}
static int disk_flush(struct file *file, fl_owner_t id)
{
	struct disk *disk = file->private_data;

	spin_lock(&disk->lock);
	disk->dirty = disk->used = 0;
	disk->wasted--;
	spin_unlock(&disk->lock);
	return 0;
}
static int disk_fsync(struct file *file, loff_t from, loff_t to, int data)
{
	struct disk *disk = file->private_data;

	spin_lock(&disk->lock);
	disk->dirty = disk->used = 0;
	disk->wasted--;
	spin_unlock(&disk->lock);
	return 0;
}
struct file_operations disk_operations = { .read = disk_read, .write = disk_write, .flush = disk_flush, .fsync = disk_fsync };
