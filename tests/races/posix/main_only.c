/* Data that only main touches needs no lock, whatever else goes on. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int options, lines_printed;
static int log_entries;

static void parse(int count)
{
	options = count; /* NORACE */
}

static void print_line(const char *text)
{
	printf("%d %s\n", options, text); /* NORACE */
	lines_printed++; /* NORACE */
}

static void *logger(void *argument)
{
	pthread_mutex_lock(&log_lock);
	log_entries++; /* NORACE */
	pthread_mutex_unlock(&log_lock);
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	parse(argc);
	pthread_create(&thread, NULL, logger, NULL);
	print_line(argv[0]);
	options++; /* NORACE */
	pthread_mutex_lock(&log_lock);
	log_entries++; /* NORACE */
	pthread_mutex_unlock(&log_lock);
	print_line("end");
	pthread_join(thread, NULL);
	return lines_printed; /* NORACE */
}
