/* References counted without a lock: the last two holders may both see the other, or free twice. */
#include <pthread.h>
#include <stdlib.h>

struct image { int references; int width; };
static struct image *logo;

static void image_put(struct image *image)
{
	if (--image->references == 0) /* RACE */
		free(image);
}

static void *show(void *argument)
{
	struct image *image = argument;
	int width = image->width; /* NORACE */
	image_put(image);
	return width ? logo : NULL; /* NORACE */
}

int main(void)
{
	pthread_t a, b;
	logo = calloc(1, sizeof *logo); /* NORACE */
	if (!logo)
		return 1;
	logo->references = 2; /* NORACE */
	logo->width = 64; /* NORACE */
	pthread_create(&a, NULL, show, logo);
	pthread_create(&b, NULL, show, logo);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
