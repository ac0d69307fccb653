// racerx-verdict: shown
/* The levels are set anew when the machine wakes up, and work and whoever resets the mixer do the same at any time. */
struct mixer { spinlock_t lock; int left; int right; struct work_struct work; };
static struct device mixer_device;

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
	mixer->left = 0; /* RACE */
	mixer->right = 0; /* RACE */
	return 0;
}

static int mixer_suspend(struct device *dev)
{
	struct mixer *mixer = dev_get_drvdata(dev);
	mixer->left = -1; /* NORACE */
	return 0;
}

static void mixer_work(struct work_struct *work)
{
	struct mixer *mixer = container_of(work, struct mixer, work);
	mixer_resume(&mixer_device); /* by name: at any time */
	mixer->left--; /* RACE */
}

static const struct dev_pm_ops mixer_pm = { .suspend = mixer_suspend, .resume = mixer_resume };

void mixer_make(struct mixer *mixer)
{
	spin_lock_init(&mixer->lock);
	INIT_WORK(&mixer->work, mixer_work);
	schedule_work(&mixer->work);
}
