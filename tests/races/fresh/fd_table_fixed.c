#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct file { int refcnt; int flags; long pos; };

#define NOFILE 20
static struct file *fdtab[NOFILE];
static pthread_mutex_t fdtab_lock = PTHREAD_MUTEX_INITIALIZER;

static int fd_install(struct file *f)
{
	int fd;

	pthread_mutex_lock(&fdtab_lock);
	for (fd = 0; fd < NOFILE; fd++) {
		if (fdtab[fd] == NULL) {
			fdtab[fd] = f;
			pthread_mutex_unlock(&fdtab_lock);
			return fd;
		}
	}
	pthread_mutex_unlock(&fdtab_lock);
	return -EMFILE;
}

static struct file *fd_remove(int fd)
{
	struct file *f;

	if (fd < 0 || fd >= NOFILE)
		return NULL;
	pthread_mutex_lock(&fdtab_lock);
	f = fdtab[fd];
	fdtab[fd] = NULL; // NORACE
	pthread_mutex_unlock(&fdtab_lock);
	return f;
}

static void *process(void *arg)
{
	int i, fails = 0;

	(void)arg;
	for (i = 0; i < 200; i++) {
		struct file *f = calloc(1, sizeof *f);
		int fd;

		f->refcnt = 1;
		fd = fd_install(f);
		if (fd < 0) {
			fails++;
			free(f);
			continue;
		}
		free(fd_remove(fd));
	}
	printf("%d\n", fails);
	return NULL;
}

int main(void)
{
	pthread_t p[4];
	int i;
	for (i = 0; i < 4; i++)
		pthread_create(p + i, NULL, process, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(p[i], NULL);
	return 0;
}
