/* What module_init writes before anything is registered, and what module_exit reads after all is gone. */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(drive_lock);
static int drives, motors;

static long drive_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock(&drive_lock);
	drives++; /* NORACE */
	motors += drives; /* NORACE */
	spin_unlock(&drive_lock);
	return 0;
}

static const struct file_operations drive_fops = { .unlocked_ioctl = drive_ioctl };

static void __init drive_detect(void)
{
	motors = 2; /* NORACE */
}

static int __init drive_init(void)
{
	drives = 4; /* NORACE */
	drive_detect();
	return register_chrdev(240, "drive", &drive_fops);
}

static void __exit drive_exit(void)
{
	unregister_chrdev(240, "drive");
	drives = 0; /* NORACE */
}

module_init(drive_init);
module_exit(drive_exit);
