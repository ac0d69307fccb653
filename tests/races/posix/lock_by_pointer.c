/* The lock comes as a parameter; one caller hands in another one. */
#include <pthread.h>

static pthread_mutex_t score_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t screen_lock = PTHREAD_MUTEX_INITIALIZER;
static int score, lives;

static void add_under(pthread_mutex_t *lock, int *counter, int amount)
{
	pthread_mutex_lock(lock);
	*counter += amount;
	pthread_mutex_unlock(lock);
}

static void set_score(pthread_mutex_t *lock, int value)
{
	pthread_mutex_lock(lock);
	score = value; /* RACE */
	pthread_mutex_unlock(lock);
}

static void set_lives(pthread_mutex_t *lock, int value)
{
	pthread_mutex_lock(lock);
	lives = value; /* NORACE */
	pthread_mutex_unlock(lock);
}

static void *player(void *argument)
{
	set_score(&score_lock, 10);
	set_lives(&score_lock, 3);
	return argument;
}

static void *referee(void *argument)
{
	int faults = 0;
	set_score(&screen_lock, 0);
	set_lives(&score_lock, 1);
	add_under(&screen_lock, &faults, 1);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, player, NULL);
	pthread_create(&b, NULL, referee, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
