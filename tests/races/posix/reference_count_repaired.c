/* reference_count.c with an atomic counter, and another one under a lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct image { atomic_int references; pthread_mutex_t lock; int users; };

static void image_put(struct image *image)
{
	int users;
	pthread_mutex_lock(&image->lock);
	users = --image->users; /* NORACE */
	pthread_mutex_unlock(&image->lock);
	if (atomic_fetch_sub(&image->references, 1) == 1 && users <= 0) /* NORACE */
		free(image); /* NORACE */
}

static void *show(void *argument)
{
	image_put(argument);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	struct image *logo = calloc(1, sizeof *logo);
	if (!logo)
		return 1;
	atomic_init(&logo->references, 2);
	pthread_mutex_init(&logo->lock, NULL);
	logo->users = 2; /* NORACE */
	pthread_create(&a, NULL, show, logo);
	pthread_create(&b, NULL, show, logo);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
