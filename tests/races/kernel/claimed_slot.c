// racerx-verdict: shown
/* Whoever opens the device, or asks for one more, looks for a channel that is free and takes it: two can take the same. */
struct inode { int i_rdev; };
struct file { void *private_data; };
struct file_operations {
	int (*open)(struct inode *inode, struct file *file);
	int (*release)(struct inode *inode, struct file *file);
	long (*unlocked_ioctl)(struct file *file, unsigned int cmd, unsigned long arg);
};

struct channel { int in_use; int rate; };
static struct channel channels[8];

static int channel_get(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		if (!channels[i].in_use) {
			channels[i].in_use = 1; /* RACE */
			return i;
		}
	}
	return -1;
}

static int dev_open(struct inode *inode, struct file *file)
{
	int slot = channel_get();

	if (slot < 0)
		return -16;
	file->private_data = &channels[slot];
	return 0;
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return cmd == 1 ? channel_get() : -25;
}

static int dev_release(struct inode *inode, struct file *file)
{
	struct channel *channel = file->private_data;

	channel->in_use = 0;
	return 0;
}

static const struct file_operations dev_fops = {
	.open = dev_open,
	.release = dev_release,
	.unlocked_ioctl = dev_ioctl,
};

int dev_register(const struct file_operations *fops);

static int __init dev_init(void)
{
	return dev_register(&dev_fops);
}
module_init(dev_init);
