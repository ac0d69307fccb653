#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Segment {
	long offset, length;
	long done;
	struct Download *owner;
} Segment;

typedef struct Download {
	char url[128];
	long total;
	long received;
	int active;
	pthread_mutex_t lock;
	Segment seg[4];
	pthread_t tid[4];
} Download;

extern int read_some(long offset, char *buf, int n);

static void *fetch_segment(void *arg)
{
	Segment *s = (Segment *)arg;
	Download *d = s->owner;
	char buf[64];

	while (s->done < s->length) {
		int n = read_some(s->offset + s->done, buf, sizeof buf);
		if (n <= 0)
			break;
		s->done += n;
		pthread_mutex_lock(&d->lock);
		d->received += n;
		pthread_mutex_unlock(&d->lock);
	}
	pthread_mutex_lock(&d->lock);
	d->active--;
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

static int show_progress(Download *d)
{
	int left;
	long got;
	pthread_mutex_lock(&d->lock);
	got = d->received; // NORACE
	left = d->active; // NORACE
	pthread_mutex_unlock(&d->lock);
	printf("%ld of %ld, %d segments left\n", got, d->total, left);
	return left;
}

int main(int argc, char **argv)
{
	Download *d = calloc(1, sizeof(Download));
	int i;

	snprintf(d->url, sizeof d->url, "%s", argc > 1 ? argv[1] : "none");
	d->total = 4000;
	pthread_mutex_init(&d->lock, NULL);
	d->active = 4;
	for (i = 0; i < 4; i++) {
		d->seg[i].owner = d;
		d->seg[i].offset = i * 1000;
		d->seg[i].length = 1000;
		pthread_create(&d->tid[i], NULL, fetch_segment, &d->seg[i]);
	}
	for (i = 0; i < 10000; i++) {
		if (show_progress(d) == 0)
			break;
		usleep(100);
	}
	for (i = 0; i < 4; i++)
		pthread_join(d->tid[i], NULL);
	printf("%ld\n", d->received);
	free(d);
	return 0;
}
