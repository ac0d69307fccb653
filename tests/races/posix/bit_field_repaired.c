/* bit_field.c: one lock for the word; and a zero-width field between two that need none. */
#include <pthread.h>

static struct { unsigned running : 1, paused : 1; } player;
static struct { unsigned left : 4; unsigned : 0; unsigned right : 4; } lamps;
static pthread_mutex_t player_lock = PTHREAD_MUTEX_INITIALIZER;

static void *run_button(void *argument)
{
	pthread_mutex_lock(&player_lock);
	player.running = 1; /* NORACE */
	pthread_mutex_unlock(&player_lock);
	lamps.left = 1; /* NORACE */
	return argument;
}

static void *pause_button(void *argument)
{
	pthread_mutex_lock(&player_lock);
	player.paused = 1; /* NORACE */
	pthread_mutex_unlock(&player_lock);
	lamps.right = 1; /* NORACE */
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
