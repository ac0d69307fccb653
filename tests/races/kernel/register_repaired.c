// racerx-verdict: shown
/* The lock keeps reading, changing and writing a register together; to wait for a bit, or to write one
 * register whatever was in it, is a single step. */
struct dial { spinlock_t lock; void *base; };

static u32 dial_read(struct dial *dial, int reg) { return readl(dial->base + reg); }
static void dial_write(struct dial *dial, u32 value, int reg) { writel(value, dial->base + reg); }

void dial_start(struct dial *dial)
{
	spin_lock(&dial->lock);
	dial_write(dial, dial_read(dial, 4) | 1, 4);
	spin_unlock(&dial->lock);
}

void dial_stop(struct dial *dial)
{
	spin_lock(&dial->lock);
	dial_write(dial, dial_read(dial, 4) & ~1, 4);
	spin_unlock(&dial->lock);
}

void dial_left(struct dial *dial)
{
	spin_lock(&dial->lock);
	dial_write(dial, dial_read(dial, 4) | 2, 4);
	spin_unlock(&dial->lock);
}

void dial_right(struct dial *dial)
{
	spin_lock(&dial->lock);
	dial_write(dial, dial_read(dial, 4) & ~2, 4);
	spin_unlock(&dial->lock);
}

void dial_lamp(struct dial *dial)
{
	spin_lock(&dial->lock);
	dial_write(dial, dial_read(dial, 4) | 4, 4);
	spin_unlock(&dial->lock);
}

void dial_dark(struct dial *dial)
{
	spin_lock(&dial->lock);
	dial_write(dial, dial_read(dial, 4) & ~4, 4);
	spin_unlock(&dial->lock);
}

static long dial_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct dial *dial = file->private_data;
	while (!(dial_read(dial, 8) & 1)) /* NORACE */
		msleep(1);
	return 0;
}

static ssize_t dial_push(struct file *file, const char *from, size_t size, loff_t *at)
{
	struct dial *dial = file->private_data;
	dial_write(dial, size, 12); /* NORACE */
	return size;
}

static const struct file_operations dial_fops = { .unlocked_ioctl = dial_ioctl, .write = dial_push };
