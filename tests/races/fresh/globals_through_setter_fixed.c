#include <pthread.h>
#include <stdio.h>

/* A "library" hidden behind getters and setters with an out parameter. */
static int volume_ = 5;
static int balance_;
static pthread_mutex_t mixer_ = PTHREAD_MUTEX_INITIALIZER;

static int *field(char which)
{
	return which == 'v' ? &volume_ : &balance_;
}

void mixer_set(char which, int value)
{
	pthread_mutex_lock(&mixer_);
	*field(which) = value;
	pthread_mutex_unlock(&mixer_);
}

void mixer_get(char which, int *out)
{
	pthread_mutex_lock(&mixer_);
	*out = *field(which); // NORACE
	pthread_mutex_unlock(&mixer_);
}

static void *knob(void *arg)
{
	int i;
	for (i = 0; i < 100; i++)
		mixer_set(i & 1 ? 'v' : 'b', i);
	return arg;
}

static void *display(void *arg)
{
	int v, b, i;
	long sum = 0;
	for (i = 0; i < 100; i++) {
		mixer_get('v', &v);
		mixer_get('b', &b);
		sum += v + b;
	}
	printf("%ld\n", sum);
	return arg;
}

int main(void)
{
	pthread_t k, d;
	pthread_create(&k, NULL, knob, NULL);
	pthread_create(&d, NULL, display, NULL);
	pthread_join(k, NULL);
	pthread_join(d, NULL);
	return 0;
}
