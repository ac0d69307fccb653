/*
 * RELAY, Figure 1: the callee lets go of the lock it was entered with. pwr.ev is read under it, stats.rx_p is written
 * behind it by all threads that begin in airo_thread.
 */
#include <pthread.h>

struct airo { pthread_mutex_t lock; struct { int ev; } pwr; struct { int rx_p; } stats; };
struct device { struct airo *priv; };

static int vals[64];
static struct airo airo = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct device device = { &airo };

static void airo_read_stats(struct airo *ai)
{
	if (ai->pwr.ev) { /* NORACE */
		pthread_mutex_unlock(&ai->lock);
		return;
	}
	pthread_mutex_unlock(&ai->lock);
	ai->stats.rx_p = vals[43]; /* RACE */
}

static void *airo_thread(void *d)
{
	struct device *dev = d;
	struct airo *ai = dev->priv; /* NORACE */
	pthread_mutex_lock(&ai->lock);
	airo_read_stats(ai);
	return NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, airo_thread, &device);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
