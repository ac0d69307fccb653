#include <pthread.h>
#include <stdio.h>

extern int input(void);

static struct thermostat {
	int target;
	int current;
	int heating;
	unsigned toggles;
} th = { 20, 15, 0, 0 };
static pthread_mutex_t th_lock = PTHREAD_MUTEX_INITIALIZER;

static void regulate(void)
{
	int want = th.current < th.target; // RACE!

	if (want != th.heating) {
		th.heating = want; // RACE!
		th.toggles++; // RACE!
	}
}

static void *sensor(void *unused)
{
	int i;
	for (i = 0; i < 100; i++) {
		pthread_mutex_lock(&th_lock);
		th.current = input() % 40;
		regulate();
		pthread_mutex_unlock(&th_lock);
	}
	return unused;
}

static void *panel(void *unused)
{
	int i;
	for (i = 0; i < 100; i++) {
		switch (input() & 3) {
		case 0:
			pthread_mutex_lock(&th_lock);
			th.target++;
			pthread_mutex_unlock(&th_lock);
			break;
		case 1:
			pthread_mutex_lock(&th_lock);
			th.target--;
			pthread_mutex_unlock(&th_lock);
			break;
		case 2:
			th.target = 20; // RACE!
			regulate();
			break;
		default:
			break;
		}
	}
	return unused;
}

int main(void)
{
	pthread_t s, p;

	pthread_create(&s, NULL, sensor, NULL);
	pthread_create(&p, NULL, panel, NULL);
	pthread_join(s, NULL);
	pthread_join(p, NULL);
	printf("%u\n", th.toggles);
	return 0;
}
