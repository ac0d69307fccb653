/* Spin locks of POSIX; an access slips out behind the unlock of a loop's last round. */
#include <pthread.h>

static pthread_spinlock_t ring_lock;
static unsigned head, tail, overruns;

static void *input(void *argument)
{
	for (int i = 0; i < 100; i++) {
		pthread_spin_lock(&ring_lock);
		if (head - tail < 32) /* NORACE */
			head++; /* NORACE */
		else
			overruns++; /* RACE@a */
		pthread_spin_unlock(&ring_lock);
	}
	return argument;
}

static void *output(void *argument)
{
	unsigned lost = 0;
	while (lost < 10) {
		pthread_spin_lock(&ring_lock);
		if (tail != head) /* NORACE */
			tail++; /* NORACE */
		pthread_spin_unlock(&ring_lock);
		lost = overruns; /* RACE@a */
	}
	return argument;
}

int main(void)
{
	pthread_t a, b;
	pthread_spin_init(&ring_lock, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&a, NULL, input, NULL);
	pthread_create(&b, NULL, output, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
