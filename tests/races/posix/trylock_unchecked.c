/* Nobody looks at what trylock said, so the lock may be another's. */
#include <pthread.h>

static pthread_mutex_t frame_lock = PTHREAD_MUTEX_INITIALIZER;
static int frames, dropped;

static void *camera(void *argument)
{
	pthread_mutex_trylock(&frame_lock);
	frames++; /* RACE */
	pthread_mutex_unlock(&frame_lock);
	return argument;
}

static void *screen(void *argument)
{
	int have = pthread_mutex_trylock(&frame_lock) == 0;
	if (have)
		dropped++; /* NORACE */
	if (have)
		pthread_mutex_unlock(&frame_lock);
	pthread_mutex_lock(&frame_lock);
	dropped--; /* NORACE */
	pthread_mutex_unlock(&frame_lock);
	return argument;
}

int main(void)
{
	pthread_t cameras[2], screens[2];
	for (int i = 0; i < 2; i++) {
		pthread_create(&cameras[i], NULL, camera, NULL);
		pthread_create(&screens[i], NULL, screen, NULL);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(cameras[i], NULL);
		pthread_join(screens[i], NULL);
	}
	return 0;
}
