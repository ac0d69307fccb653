/* Locks of the program's own that keep who has them: their owner only counts when he takes them again. */
#include <pthread.h>

struct nested { pthread_mutex_t mutex; pthread_t owner; int depth; };
struct counted { pthread_mutex_t mutex; pthread_t owner; int depth; };

static void nested_lock(struct nested *lock)
{
	if (lock->owner == pthread_self()) {
		lock->depth++;
		return;
	}
	pthread_mutex_lock(&lock->mutex);
	lock->owner = pthread_self();
	lock->depth = 1;
}

static void nested_unlock(struct nested *lock)
{
	if (--lock->depth)
		return;
	lock->owner = 0;
	pthread_mutex_unlock(&lock->mutex);
}

static void counted_lock(struct counted *lock)
{
	pthread_t self = pthread_self();
	if (!pthread_equal(self, lock->owner)) {
		pthread_mutex_lock(&lock->mutex);
		lock->owner = self;
	}
	lock->depth++;
}

static void counted_unlock(struct counted *lock)
{
	if (--lock->depth > 0)
		return;
	lock->owner = 0;
	pthread_mutex_unlock(&lock->mutex);
}

static struct nested table;
static struct counted queue;
static int rows, jobs;

static void add_row(void)
{
	nested_lock(&table); /* NODOUBLE-LOCK */
	rows++;
	nested_unlock(&table);
}

static void add_job(void)
{
	counted_lock(&queue); /* NODOUBLE-LOCK */
	jobs++;
	counted_unlock(&queue);
}

static void *work(void *data)
{
	nested_lock(&table);
	add_row();
	nested_unlock(&table);
	counted_lock(&queue);
	add_job();
	counted_unlock(&queue);
	return data;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
