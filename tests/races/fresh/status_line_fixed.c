#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char status[80] = "idle";
static pthread_mutex_t status_lock = PTHREAD_MUTEX_INITIALIZER;

static void set_status(const char *text)
{
	pthread_mutex_lock(&status_lock);
	strncpy(status, text, sizeof status - 1); // NORACE
	pthread_mutex_unlock(&status_lock);
}

static void *copying(void *file)
{
	set_status("copying");
	set_status(file);
	set_status("idle");
	return NULL;
}

static void show(void)
{
	char shown[80];
	pthread_mutex_lock(&status_lock);
	memcpy(shown, status, sizeof shown); // NORACE
	pthread_mutex_unlock(&status_lock);
	printf("[%s]\n", shown);
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, copying, "notes.txt");
	show();
	show();
	pthread_join(t, NULL);
	return 0;
}
