/* The loader starts two readers and waits for both; who has waited for the loader has waited for them. */
#include <threads.h>

static int bytes_read, lines_read;

static int read_bytes(void *argument)
{
	(void)argument;
	bytes_read++; /* NORACE */
	return 0;
}

static int read_lines(void *argument)
{
	(void)argument;
	lines_read++; /* NORACE */
	return 0;
}

static int load(void *argument)
{
	thrd_t bytes, lines;
	thrd_create(&bytes, read_bytes, argument);
	thrd_create(&lines, read_lines, argument);
	thrd_join(lines, NULL);
	thrd_join(bytes, NULL);
	return 0;
}

static void load_all(void)
{
	thrd_t loader;
	thrd_create(&loader, load, NULL);
	thrd_join(loader, NULL);
}

int main(void)
{
	load_all();
	lines_read++; /* NORACE */
	bytes_read++; /* NORACE */
	return 0;
}
