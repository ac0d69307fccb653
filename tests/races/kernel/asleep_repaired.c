/* The levels are set anew when the machine wakes up: no process runs yet that would set them. */
struct mixer { spinlock_t lock; int left; int right; struct work_struct work; };

static ssize_t mixer_write(struct file *file, const char *text, size_t size, loff_t *at)
{
	struct mixer *mixer = file->private_data;
	spin_lock(&mixer->lock);
	mixer->left = text[0];
	mixer->right++;
	spin_unlock(&mixer->lock);
	return size;
}

static ssize_t mixer_read(struct file *file, char *text, size_t size, loff_t *at)
{
	struct mixer *mixer = file->private_data;
	spin_lock(&mixer->lock);
	text[0] = mixer->left;
	mixer->right--;
	spin_unlock(&mixer->lock);
	return 1;
}

static long mixer_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct mixer *mixer = file->private_data;
	spin_lock(&mixer->lock);
	if (mixer->left > (int)arg)
		mixer->left = arg;
	mixer->right = 0;
	spin_unlock(&mixer->lock);
	return 0;
}

static const struct file_operations mixer_fops = {
	.read = mixer_read, .write = mixer_write, .unlocked_ioctl = mixer_ioctl,
};

static int mixer_resume(struct device *dev)
{
	struct mixer *mixer = dev_get_drvdata(dev);
	mixer->left = 0; /* NORACE */
	mixer->right = 0; /* NORACE */
	return 0;
}

static int mixer_suspend(struct device *dev)
{
	struct mixer *mixer = dev_get_drvdata(dev);
	mixer->left = -1; /* NORACE */
	return 0;
}

static const struct dev_pm_ops mixer_pm = { .suspend = mixer_suspend, .resume = mixer_resume };

void mixer_make(struct mixer *mixer)
{
	spin_lock_init(&mixer->lock);
}
