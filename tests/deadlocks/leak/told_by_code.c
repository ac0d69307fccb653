/* The helper lets go when it was interrupted, and says so by its code. The caller thinks of another one. */
enum { AGAIN = 11, INTERRUPTED = 4 };
struct line { struct mutex lock; int busy, signals; };

static int line_check(struct line *line)
{
	if (line->signals) {
		mutex_unlock(&line->lock); /* UNHELD@a */
		return -INTERRUPTED;
	}
	if (line->busy)
		return -AGAIN;
	return 0;
}

int line_send(struct line *line)
{
	int error;
	mutex_lock(&line->lock);
	error = line_check(line);
	if (error) {
		if (error != -AGAIN)
			mutex_unlock(&line->lock); /* UNHELD@a */
		return error; /* LEAK */
	}
	line->busy = 1;
	mutex_unlock(&line->lock); /* NOUNHELD */
	return 0; /* NOLEAK */
}
