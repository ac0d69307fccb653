// racerx-verdict: shown
// racerx: --preset c --preset linux
/* A poller counts what it polls; whoever reads the file takes the counts away. Both take the lock. */
struct poller { struct mutex lock; struct task_struct *task; unsigned long polls; int rate; };

static int poller_run(void *data)
{
	struct poller *poller = data;
	while (!kthread_should_stop()) {
		mutex_lock(&poller->lock);
		poller->polls++; /* NORACE */
		mutex_unlock(&poller->lock);
		msleep(poller->rate);
	}
	return 0;
}

static ssize_t poller_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct poller *poller = file->private_data;
	unsigned long polls;
	mutex_lock(&poller->lock);
	polls = poller->polls;
	poller->polls = 0; /* NORACE */
	mutex_unlock(&poller->lock);
	return put_user(polls, to) ? -EFAULT : sizeof polls;
}

static const struct file_operations poller_operations = { .read = poller_read };

int poller_start(struct poller *poller)
{
	mutex_init(&poller->lock);
	poller->task = kthread_run(poller_run, poller, "poller");
	return IS_ERR(poller->task) ? PTR_ERR(poller->task) : 0;
}
