// racerx-verdict: shown
/* Taken off the list under the lock, a node is its finder's alone; looked at on the list, it is not. */
#include <pthread.h>
#include <stdlib.h>

struct letter { struct letter *next; int weight; int stamps; };
static pthread_mutex_t tray_lock = PTHREAD_MUTEX_INITIALIZER;
static struct letter *tray;

static void *carrier(void *argument)
{
	struct letter *letter;
	pthread_mutex_lock(&tray_lock);
	letter = tray; /* NORACE */
	if (letter)
		tray = letter->next; /* NORACE */
	pthread_mutex_unlock(&tray_lock);
	if (letter) {
		letter->weight = 0; /* NORACE */
		free(letter);
	}
	return argument;
}

static void *sorter(void *argument)
{
	pthread_mutex_lock(&tray_lock);
	for (struct letter *letter = tray; letter; letter = letter->next) /* NORACE */
		letter->weight++; /* NORACE */
	pthread_mutex_unlock(&tray_lock);
	return argument;
}

static void *stamper(void *argument)
{
	struct letter *letter;
	pthread_mutex_lock(&tray_lock);
	letter = tray; /* NORACE */
	pthread_mutex_unlock(&tray_lock);
	if (letter)
		letter->stamps++; /* RACE */ /* ESCAPED */
	return argument;
}

int main(void)
{
	pthread_t threads[4];
	tray = calloc(1, sizeof *tray); /* NORACE */
	pthread_create(&threads[0], NULL, carrier, NULL);
	pthread_create(&threads[1], NULL, sorter, NULL);
	pthread_create(&threads[2], NULL, stamper, NULL);
	pthread_create(&threads[3], NULL, stamper, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
