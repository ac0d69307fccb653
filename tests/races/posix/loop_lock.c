/* Locked at the bottom of a loop, unlocked at its top: the body's second half is inside. */
#include <pthread.h>

static pthread_mutex_t tape_lock = PTHREAD_MUTEX_INITIALIZER;
static int position, rewinds;

static void *drive(void *argument)
{
	pthread_mutex_lock(&tape_lock);
	for (int i = 0; i < 10; i++) {
		position++; /* NORACE */
		pthread_mutex_unlock(&tape_lock);
		rewinds++; /* RACE */
		pthread_mutex_lock(&tape_lock);
		position--; /* NORACE */
	}
	pthread_mutex_unlock(&tape_lock);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, drive, NULL);
	pthread_create(&b, NULL, drive, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
