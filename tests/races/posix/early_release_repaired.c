/* early_release.c with both fields inside. */
#include <pthread.h>

struct position { pthread_mutex_t lock; double latitude, longitude; };
static struct position boat = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *receiver(void *argument)
{
	double *fix = argument;
	pthread_mutex_lock(&boat.lock);
	boat.latitude = fix[0]; /* NORACE */
	boat.longitude = fix[1]; /* NORACE */
	pthread_mutex_unlock(&boat.lock);
	return NULL;
}

static void *plotter(void *argument)
{
	double *screen = argument;
	pthread_mutex_lock(&boat.lock);
	screen[0] = boat.latitude; /* NORACE */
	screen[1] = boat.longitude; /* NORACE */
	pthread_mutex_unlock(&boat.lock);
	return NULL;
}

int main(void)
{
	pthread_t gps, map;
	double fix[2] = { 54.1, 10.8 }, screen[2];
	pthread_create(&gps, NULL, receiver, fix);
	pthread_create(&map, NULL, plotter, screen);
	pthread_join(gps, NULL);
	pthread_join(map, NULL);
	return 0;
}
