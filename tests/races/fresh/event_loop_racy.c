#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct event { struct event *next; int type; };

struct loop {
	int wake[2];
	pthread_mutex_t lock;
	struct event *inbox;
	int quit;
	unsigned long dispatched;
};

static void loop_post(struct loop *l, int type)
{
	struct event *e = malloc(sizeof *e);
	char c = 'x';

	e->type = type;
	e->next = l->inbox; // RACE!
	l->inbox = e;
	if (write(l->wake[1], &c, 1) != 1)
		abort();
}

static struct event *loop_take_all(struct loop *l)
{
	struct event *e;

	pthread_mutex_lock(&l->lock);
	e = l->inbox;
	l->inbox = NULL;
	pthread_mutex_unlock(&l->lock);
	return e;
}

static void *loop_run(void *arg)
{
	struct loop *l = arg;
	char c;

	while (!l->quit && read(l->wake[0], &c, 1) == 1) {
		struct event *e = loop_take_all(l), *next;
		for (; e; e = next) {
			next = e->next;
			if (e->type == 0)
				l->quit = 1;
			l->dispatched++;
			free(e);
		}
	}
	return NULL;
}

static void *poster(void *arg)
{
	int i;
	for (i = 1; i < 100; i++)
		loop_post(arg, i);
	return NULL;
}

int main(void)
{
	struct loop loop = { .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t t, p1, p2;

	if (pipe(loop.wake) < 0)
		return 1;
	pthread_create(&t, NULL, loop_run, &loop);
	pthread_create(&p1, NULL, poster, &loop);
	pthread_create(&p2, NULL, poster, &loop);
	pthread_join(p1, NULL);
	pthread_join(p2, NULL);
	loop_post(&loop, 0);
	pthread_join(t, NULL);
	printf("%lu\n", loop.dispatched);
	return 0;
}
