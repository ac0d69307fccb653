#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct result {
	int code;
	char *text;
};

static struct result answer;
static int ready;
static pthread_mutex_t lk = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;

extern int input(void);

static void *compute(void *arg)
{
	int v = input();

	(void)arg;
	answer.code = v % 3;
	pthread_mutex_lock(&lk);
	ready = 1;
	pthread_cond_signal(&cv);
	answer.text = v > 0 ? "positive" : "other"; // NORACE
	pthread_mutex_unlock(&lk);
	return NULL;
}

int main(void)
{
	pthread_t t;

	answer.text = "?";
	if (pthread_create(&t, NULL, compute, NULL) != 0)
		exit(1);

	pthread_mutex_lock(&lk);
	while (!ready)
		pthread_cond_wait(&cv, &lk);
	pthread_mutex_unlock(&lk);
	printf("%d %s\n", answer.code, answer.text); // NORACE
	pthread_join(t, NULL);
	return 0;
}
