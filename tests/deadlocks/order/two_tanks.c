/* Two tanks are poured into each other by a helper that takes both write locks, the source's first. */
#include <pthread.h>

struct tank { pthread_rwlock_t gate; long litres; };
static struct tank upper, lower;

static void pour(struct tank *out, struct tank *in)
{
	pthread_rwlock_wrlock(&out->gate);
	pthread_rwlock_wrlock(&in->gate); /* DEADLOCK */
	out->litres--;
	in->litres++;
	pthread_rwlock_unlock(&in->gate);
	pthread_rwlock_unlock(&out->gate);
}

static void *fall(void *argument)
{
	pour(&upper, &lower);
	return argument;
}

static void *pump(void *argument)
{
	pour(&lower, &upper);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_rwlock_init(&upper.gate, NULL);
	pthread_rwlock_init(&lower.gate, NULL);
	pthread_create(&a, NULL, fall, NULL);
	pthread_create(&b, NULL, pump, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)(upper.litres + lower.litres);
}
