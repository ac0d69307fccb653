#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* shared file handle with an atomic reference count */
struct fh {
	atomic_int	 ref;
	int		 ino;
	unsigned long	 off;
	pthread_mutex_t	 off_mx;
};

static struct fh *fh_open(int ino)
{
	struct fh *f = malloc(sizeof *f);

	atomic_init(&f->ref, 1);
	f->ino = ino;
	f->off = 0;
	pthread_mutex_init(&f->off_mx, NULL);
	return f;
}

static void fh_get(struct fh *f)
{
	atomic_fetch_add_explicit(&f->ref, 1, memory_order_relaxed);
}

static void fh_put(struct fh *f)
{
	if (atomic_fetch_sub_explicit(&f->ref, 1, memory_order_acq_rel) == 1) {
		pthread_mutex_destroy(&f->off_mx);
		f->ino = -1; // TODO NORACE: that somebody is the last user is asked of an atomic count
		free(f);
	}
}

static void fh_advance(struct fh *f, unsigned long n)
{
	pthread_mutex_lock(&f->off_mx);
	f->off += n;
	pthread_mutex_unlock(&f->off_mx);
}

static int fh_close_verbose(struct fh *f)
{
	int ino = f->ino;

	fh_put(f);
	return ino;
}

static void *reader(void *arg)
{
	struct fh *f = arg;

	for (int i = 0; i < 10; i++)
		fh_advance(f, 512);
	return (void *)(long)fh_close_verbose(f);
}

int main(void)
{
	long closed = 0;

	for (int round = 0; round < 40; round++) {
		struct fh *f = fh_open(round + 1);
		pthread_t t[3];
		void *r;

		for (int i = 0; i < 3; i++) {
			fh_get(f);
			pthread_create(&t[i], NULL, reader, f);
		}
		fh_put(f);
		for (int i = 0; i < 3; i++) {
			pthread_join(t[i], &r);
			closed += (long)r;
		}
	}
	printf("closed %ld\n", closed);
	return 0;
}
