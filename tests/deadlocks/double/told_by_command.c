/* One entry for all requests of a tape. Rewinding opens it, and so does its caller. */
enum request { TAPE_OPEN = 3, TAPE_READ, TAPE_CLOSE };
static DEFINE_MUTEX(tape_mutex);
static int position;

static void tape(enum request request)
{
	switch (request) {
	case TAPE_OPEN:
		mutex_lock(&tape_mutex); /* DOUBLE-LOCK */
		break;
	case TAPE_READ:
		position++;
		break;
	case TAPE_CLOSE:
		mutex_unlock(&tape_mutex); /* NOUNHELD */
		break;
	}
}

static void rewind(void)
{
	tape(TAPE_OPEN);
	position = 0;
	tape(TAPE_CLOSE);
}

int tape_copy(void)
{
	tape(TAPE_OPEN);
	rewind();
	tape(TAPE_READ);
	tape(TAPE_CLOSE);
	return position; /* NOLEAK */
}
