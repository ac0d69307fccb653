/* A reader of a sequence lets nothing go: it may ask again later whether it was disturbed. */
// racerx: --preset linux
#include <linux/seqlock.h>
#include <linux/fs.h>

struct window { seqlock_t lock; int from, to, hits; };

static void window_move(struct window *w, int by)
{
	write_seqlock(&w->lock);
	w->from += by;
	w->to += by;
	write_sequnlock(&w->lock);
}

static int window_try(struct window *w, int at)
{
	unsigned int seq;
	int from, to;
	do {
		seq = read_seqbegin(&w->lock);
		from = w->from;
		to = w->to;
	} while (read_seqretry(&w->lock, seq));
	if (at < from || at >= to)
		return -1;
	if (!read_seqretry(&w->lock, seq)) /* NOUNHELD */
		w->hits++;
	return at;
}

static long window_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct window *w = file->private_data;
	window_move(w, cmd);
	return window_try(w, arg);
}

static const struct file_operations window_fops = { .unlocked_ioctl = window_ioctl };
