#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t work_mx = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_cv = PTHREAD_COND_INITIALIZER;
static int pending, handled;
static int cancelled_workers;

static void unlock_work(void *m)
{
	pthread_mutex_unlock(m);
}

static void note_cancel(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&work_mx);
	cancelled_workers++; // NORACE
	pthread_mutex_unlock(&work_mx);
}

static void *worker(void *arg)
{
	pthread_cleanup_push(note_cancel, NULL);
	for (;;) {
		pthread_mutex_lock(&work_mx);
		pthread_cleanup_push(unlock_work, &work_mx);
		while (pending == 0)
			pthread_cond_wait(&work_cv, &work_mx);
		pending--;
		handled++;
		pthread_cleanup_pop(1);
	}
	pthread_cleanup_pop(0);
	return arg;
}

int main(void)
{
	pthread_t t[3];
	int i;

	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (i = 0; i < 50; i++) {
		pthread_mutex_lock(&work_mx);
		pending++;
		pthread_cond_signal(&work_cv);
		pthread_mutex_unlock(&work_mx);
	}
	usleep(2000);
	for (i = 0; i < 3; i++)
		pthread_cancel(t[i]);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d handled, %d cancelled\n", handled, cancelled_workers);
	return 0;
}
