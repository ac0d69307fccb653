/* Assigning a whole structure writes all of its members. */
#include <pthread.h>

struct color { int red, green, blue; };
static pthread_mutex_t color_lock = PTHREAD_MUTEX_INITIALIZER;
static struct color background, foreground;

static void *painter(void *argument)
{
	const struct color sky = { 120, 180, 250 };
	background = sky; /* RACE@a */
	pthread_mutex_lock(&color_lock);
	foreground = sky; /* NORACE */
	pthread_mutex_unlock(&color_lock);
	return argument;
}

static void *renderer(void *argument)
{
	struct color ink;
	int green;
	pthread_mutex_lock(&color_lock);
	green = background.green; /* RACE@a */
	ink = foreground; /* NORACE */
	pthread_mutex_unlock(&color_lock);
	return green + ink.red ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, painter, NULL);
	pthread_create(&b, NULL, renderer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
