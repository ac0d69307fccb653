#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct session {
	unsigned id;
	unsigned idle;
	struct session *prev, *next;
};

struct session_list {
	pthread_mutex_t m;
	struct session head;	/* circular, sentinel */
};

static struct session_list *sl_create(void)
{
	struct session_list *sl = malloc(sizeof *sl);

	pthread_mutex_init(&sl->m, NULL);
	sl->head.prev = sl->head.next = &sl->head;
	return sl;
}

static void sl_add(struct session_list *sl, unsigned id)
{
	struct session *s = malloc(sizeof *s);

	s->id = id;
	s->idle = 0;
	pthread_mutex_lock(&sl->m);
	s->next = sl->head.next;
	s->prev = &sl->head;
	s->next->prev = s;
	sl->head.next = s;
	pthread_mutex_unlock(&sl->m);
}

static void sl_age(struct session_list *sl)
{
	struct session *s;

	pthread_mutex_lock(&sl->m);
	for (s = sl->head.next; s != &sl->head; s = s->next)
		s->idle++;
	pthread_mutex_unlock(&sl->m);
}

static unsigned sl_dump(struct session_list *sl)
{
	unsigned busy = 0;

	pthread_mutex_lock(&sl->m);
	for (struct session *s = sl->head.next; s != &sl->head; s = s->next) // NORACE
		if (s->idle < 2) // NORACE
			busy++;
	pthread_mutex_unlock(&sl->m);
	return busy;
}

static void *admin_console(void *arg)
{
	struct session_list *sl = arg;

	for (int i = 0; i < 10; i++) {
		printf("%u busy\n", sl_dump(sl));
		usleep(400);
	}
	return NULL;
}

int main(void)
{
	struct session_list *sl = sl_create();
	pthread_t con;

	pthread_create(&con, NULL, admin_console, sl);
	for (unsigned i = 0; i < 60; i++) {
		sl_add(sl, i);
		if (i % 10 == 9)
			sl_age(sl);
		usleep(60);
	}
	pthread_join(con, NULL);
	while (sl->head.next != &sl->head) {
		struct session *s = sl->head.next;
		sl->head.next = s->next;
		free(s);
	}
	free(sl);
	return 0;
}
