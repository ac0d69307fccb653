/* Locks behind macros. */
#include <pthread.h>

static pthread_mutex_t state_mutex = PTHREAD_MUTEX_INITIALIZER;
#define LOCK_STATE() pthread_mutex_lock(&state_mutex)
#define UNLOCK_STATE() pthread_mutex_unlock(&state_mutex)
#define WITH_STATE(statement) do { LOCK_STATE(); statement; UNLOCK_STATE(); } while (0)

static int state, epoch, changes;

static void *mover(void *argument)
{
	WITH_STATE(state++); /* NORACE */
	LOCK_STATE();
	epoch = state; /* NORACE */
	UNLOCK_STATE();
	changes++; /* RACE */
	return argument;
}

static void *watcher(void *argument)
{
	int seen;
	WITH_STATE(seen = state + epoch); /* NORACE */
	return seen ? argument : NULL;
}

int main(void)
{
	pthread_t movers[2], eye;
	pthread_create(&movers[0], NULL, mover, NULL);
	pthread_create(&movers[1], NULL, mover, NULL);
	pthread_create(&eye, NULL, watcher, NULL);
	pthread_join(movers[0], NULL);
	pthread_join(movers[1], NULL);
	pthread_join(eye, NULL);
	return 0;
}
