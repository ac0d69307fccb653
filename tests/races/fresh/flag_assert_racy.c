#include <assert.h>
#include <pthread.h>

int data1, data2;
int stage;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *arg)
{
	data1 = 10; // NORACE
	pthread_mutex_lock(&m);
	stage = 1;
	pthread_mutex_unlock(&m);
	return arg;
}

void *second(void *arg)
{
	int seen;

	do {
		pthread_mutex_lock(&m);
		seen = stage;
		pthread_mutex_unlock(&m);
	} while (seen < 1);
	data2 = data1 + 1;
	pthread_mutex_lock(&m);
	stage = 2;
	pthread_mutex_unlock(&m);
	return arg;
}

void *third(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		if (stage >= 1) {
			pthread_mutex_unlock(&m);
			break;
		}
		pthread_mutex_unlock(&m);
	}
	assert(data2 == 11 || data2 == 0); // RACE!
	return arg;
}

int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_create(&t3, 0, third, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
