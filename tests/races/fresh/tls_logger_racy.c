#include <pthread.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char prefix[16];
static char history[32][48];
static unsigned hist_at;
static pthread_mutex_t hist_mx = PTHREAD_MUTEX_INITIALIZER;

static void say(const char *msg)
{
	snprintf(history[hist_at % 32], 48, "%s: %s", prefix, msg); // RACE!
	hist_at++; // RACE!
}

static void *speaker(void *name)
{
	int i;
	strncpy(prefix, name, sizeof prefix - 1);
	for (i = 0; i < 50; i++)
		say(i & 1 ? "tick" : "tock");
	return NULL;
}

int main(void)
{
	pthread_t t[3];
	static char *names[3] = { "huey", "dewey", "louie" };
	int i;
	for (i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, speaker, names[i]);
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%u, last %s\n", hist_at, history[(hist_at - 1) % 32]);
	return 0;
}
