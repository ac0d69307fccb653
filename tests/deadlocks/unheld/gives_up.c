/* Letting go before giving up: right where the one who gives up never comes back, a mistake where it may
 * also return. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER,
                       file_lock = PTHREAD_MUTEX_INITIALIZER;
static int device = -1, lines, quiet, file = -1;

static void stop_all(void)
{
	if (lines)
		exit(2);
	abort();
}
static void give_up(const char *why)
{
	fprintf(stderr, "%s\n", why);
	stop_all();
}
static void complain(const char *why)
{
	if (quiet)
		return;
	give_up(why);
}

int device_open(void)
{
	pthread_mutex_lock(&device_lock);
	if ((device = open("/dev/device", O_RDONLY)) < 0) {
		pthread_mutex_unlock(&device_lock);
		give_up("no device");
	}
	pthread_mutex_unlock(&device_lock); /* NOUNHELD */
	return device;
}

int file_open(void)
{
	pthread_mutex_lock(&file_lock);
	if ((file = open("file", O_RDONLY)) < 0) {
		pthread_mutex_unlock(&file_lock);
		complain("no file");
	}
	pthread_mutex_unlock(&file_lock); /* UNHELD@twice */
	return file;
}

int log_line(void)
{
	pthread_mutex_lock(&log_lock);
	if (lines < 0) {
		give_up("log"); /* NOLEAK */
		return -1;
	}
	lines++;
	pthread_mutex_unlock(&log_lock);
	return 0;
}
