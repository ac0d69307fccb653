/* RELAY, Figure 1, with the write before the unlock; the power event is written by a thread that holds the lock. */
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
	ai->stats.rx_p = vals[43]; /* NORACE */
	pthread_mutex_unlock(&ai->lock);
}

static void *airo_thread(void *d)
{
	struct device *dev = d;
	struct airo *ai = dev->priv; /* NORACE */
	pthread_mutex_lock(&ai->lock);
	ai->pwr.ev = 0; /* NORACE */
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
