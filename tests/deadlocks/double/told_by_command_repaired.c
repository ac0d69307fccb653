/* One entry for all requests of a tape. Rewinding opens it, before its caller does. */
enum request { TAPE_OPEN = 3, TAPE_READ, TAPE_CLOSE };
static DEFINE_MUTEX(tape_mutex);
static int position;

static void tape(enum request request)
{
	switch (request) {
	case TAPE_OPEN:
		mutex_lock(&tape_mutex); /* NODOUBLE-LOCK */
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
	rewind();
	tape(TAPE_OPEN);
	tape(TAPE_READ);
	tape(TAPE_CLOSE);
	return position; /* NOLEAK */
}
