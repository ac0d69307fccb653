// racerx-verdict: shown
/* The accessor writes the number of a register and then its value: two steps that the lock keeps together. */
struct synth { spinlock_t lock; int port; };

static void synth_write(struct synth *synth, int reg, int value)
{
	outb(reg, synth->port);
	outb(value, synth->port + 1);
}

void synth_on(struct synth *synth)
{
	spin_lock(&synth->lock);
	synth_write(synth, 1, 1);
	spin_unlock(&synth->lock);
}

void synth_off(struct synth *synth)
{
	spin_lock(&synth->lock);
	synth_write(synth, 1, 0);
	spin_unlock(&synth->lock);
}

void synth_loud(struct synth *synth)
{
	spin_lock(&synth->lock);
	synth_write(synth, 2, 9);
	spin_unlock(&synth->lock);
}

void synth_quiet(struct synth *synth)
{
	spin_lock(&synth->lock);
	synth_write(synth, 2, 1);
	spin_unlock(&synth->lock);
}

void synth_high(struct synth *synth)
{
	spin_lock(&synth->lock);
	synth_write(synth, 3, 9);
	spin_unlock(&synth->lock);
}

void synth_low(struct synth *synth)
{
	spin_lock(&synth->lock);
	synth_write(synth, 3, 1);
	spin_unlock(&synth->lock);
}

static long synth_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct synth *synth = file->private_data;
	synth_write(synth, cmd, arg); /* RACE */
	return 0;
}

static const struct file_operations synth_fops = { .unlocked_ioctl = synth_ioctl };
