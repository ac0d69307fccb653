#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct conf {
	char docroot[64];
	int max_conn;
	int verbose;
};

static struct conf conf = { "/srv", 10, 0 };
static pthread_mutex_t conf_lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t handled;

static void conf_load(void)
{
	pthread_mutex_lock(&conf_lock);
	strcpy(conf.docroot, "/srv/www");
	conf.max_conn += 5;
	conf.verbose = !conf.verbose;
	pthread_mutex_unlock(&conf_lock);
}

static void *signal_thread(void *arg)
{
	int sig;

	(void)arg;
	for (;;) {
		if (sigwait(&handled, &sig) != 0)
			continue;
		switch (sig) {
		case SIGHUP:
			conf_load();
			break;
		case SIGTERM:
			return NULL;
		}
	}
}

static int accept_one(int current)
{
	int limit;

	pthread_mutex_lock(&conf_lock);
	limit = conf.max_conn; // NORACE
	pthread_mutex_unlock(&conf_lock);
	return current < limit;
}

int main(void)
{
	pthread_t sig;
	int i, accepted = 0;

	sigemptyset(&handled);
	sigaddset(&handled, SIGHUP);
	sigaddset(&handled, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &handled, NULL);
	pthread_create(&sig, NULL, signal_thread, NULL);
	for (i = 0; i < 30; i++) {
		if (i % 10 == 0)
			kill(getpid(), SIGHUP);
		accepted += accept_one(i);
		usleep(200);
	}
	kill(getpid(), SIGTERM);
	pthread_join(sig, NULL);
	printf("%d\n", accepted);
	return 0;
}
