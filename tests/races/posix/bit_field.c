/* Neighbouring bit-fields are one memory location: a write to one writes the other. */
#include <pthread.h>

static struct { unsigned running : 1, paused : 1; unsigned char muted; unsigned char dimmed; } player;
static pthread_mutex_t run_lock = PTHREAD_MUTEX_INITIALIZER, pause_lock = PTHREAD_MUTEX_INITIALIZER;

static void *run_button(void *argument)
{
	pthread_mutex_lock(&run_lock);
	player.running = 1; /* RACE@a */
	pthread_mutex_unlock(&run_lock);
	player.muted = 1; /* NORACE */
	return argument;
}

static void *pause_button(void *argument)
{
	pthread_mutex_lock(&pause_lock);
	player.paused = 1; /* RACE@a */
	pthread_mutex_unlock(&pause_lock);
	player.dimmed = 1; /* NORACE */
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, run_button, NULL);
	pthread_create(&b, NULL, pause_button, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return player.running; /* NORACE */
}
