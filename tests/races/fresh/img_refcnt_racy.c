#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

/* Reference counted image shared by several render jobs. */

typedef struct image image;
struct image {
	pthread_mutex_t	lk;
	int		refs;
	size_t		len;
	unsigned char	*px;
};

static image *image_new(size_t len)
{
	image *im = calloc(1, sizeof *im);
	if (!im)
		abort();
	pthread_mutex_init(&im->lk, NULL);
	im->refs = 1;
	im->len = len;
	im->px = malloc(len);
	memset(im->px, 7, len);
	return im;
}

static image *image_ref(image *im)
{
	pthread_mutex_lock(&im->lk);
	im->refs++;
	pthread_mutex_unlock(&im->lk);
	return im;
}

static void image_unref(image *im)
{
	int left;

	left = --im->refs; // RACE!
	if (left == 0) {
		pthread_mutex_destroy(&im->lk);
		free(im->px);
		free(im);
	}
}

static void *render(void *arg)
{
	image *im = arg;
	unsigned long acc = 0;

	for (int round = 0; round < 50; round++) {
		image *mine = image_ref(im);
		for (size_t i = 0; i < mine->len; i++)
			acc += mine->px[i];
		image_unref(mine);
	}
	image_unref(im);
	return (void *)acc;
}

int main(void)
{
	image *im = image_new(4096);
	pthread_t th[4];
	void *r;

	for (int i = 0; i < 4; i++)
		pthread_create(&th[i], NULL, render, image_ref(im));
	image_unref(im);
	for (int i = 0; i < 4; i++) {
		pthread_join(th[i], &r);
		printf("%lu\n", (unsigned long)r);
	}
	return 0;
}
