/* A desk on the heap with two trays, each with its lock; letters are found by a helper that gives them out. */
#include <pthread.h>
#include <stdlib.h>

struct letter { struct letter *next; int number; int read; };
struct tray { pthread_mutex_t lock; struct letter *first; };
struct desk { struct tray in, out; };
static struct desk *desk;

static int tray_find(struct tray *tray, int number, struct letter **found)
{
	struct letter *letter, *next;
	for (letter = tray->first; letter; letter = next) {
		next = letter->next; /* NORACE */
		if (letter->number == number) {
			*found = letter;
			return 1;
		}
	}
	return 0;
}

static void tray_put(struct tray *tray, int number)
{
	struct letter *letter = calloc(1, sizeof *letter);
	letter->number = number;
	letter->next = tray->first; /* NORACE */
	tray->first = letter; /* NORACE */
}

static void *reader(void *argument)
{
	struct letter *letter, *next;
	pthread_mutex_lock(&desk->in.lock);
	for (letter = desk->in.first; letter; letter = next) {
		next = letter->next; /* NORACE */
		letter->read = 1; /* NORACE */
	}
	pthread_mutex_unlock(&desk->in.lock);
	return argument;
}

static void *sender(void *argument)
{
	struct letter *letter, *next;
	pthread_mutex_lock(&desk->out.lock);
	for (letter = desk->out.first; letter; letter = next) {
		next = letter->next; /* NORACE */
		letter->read = 0; /* NORACE */
	}
	pthread_mutex_unlock(&desk->out.lock);
	return argument;
}

int main(void)
{
	pthread_t a, b;
	struct letter *letter;
	desk = calloc(1, sizeof *desk);
	pthread_mutex_init(&desk->in.lock, NULL);
	pthread_mutex_init(&desk->out.lock, NULL);
	tray_put(&desk->in, 1);
	tray_put(&desk->out, 2);
	if (tray_find(&desk->in, 1, &letter))
		letter->number = 3;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, sender, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
