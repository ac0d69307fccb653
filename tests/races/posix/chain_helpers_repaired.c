// racerx-verdict: shown
/* A library without a main: timers wait in a chain that helpers link and unlink. Always under the lock. */
#include <pthread.h>
#include <stdlib.h>

struct chain { struct chain *before, *after; };
struct wheel { pthread_mutex_t guard; struct chain waiting; int ticks; };
struct alarm { struct chain link; int due; };

static void link_between(struct chain *node, struct chain *before, struct chain *after)
{
	after->before = node;
	node->after = after;
	node->before = before;
	before->after = node;
}

static void chain_append(struct chain *node, struct chain *head) { link_between(node, head->before, head); }

static int chain_is_empty(struct chain *head) { return head->after == head; }

void wheel_add(struct wheel *wheel, struct alarm *alarm)
{
	pthread_mutex_lock(&wheel->guard);
	chain_append(&alarm->link, &wheel->waiting);
	pthread_mutex_unlock(&wheel->guard);
}

void wheel_repeat(struct wheel *wheel, struct alarm *alarm)
{
	pthread_mutex_lock(&wheel->guard);
	wheel->ticks++;
	chain_append(&alarm->link, &wheel->waiting);
	pthread_mutex_unlock(&wheel->guard);
}

struct chain *wheel_next(struct wheel *wheel)
{
	struct chain *next = NULL;
	pthread_mutex_lock(&wheel->guard);
	if (!chain_is_empty(&wheel->waiting))
		next = wheel->waiting.after;
	pthread_mutex_unlock(&wheel->guard);
	return next;
}

int wheel_idle(struct wheel *wheel)
{
	pthread_mutex_lock(&wheel->guard);
	int idle = chain_is_empty(&wheel->waiting);
	pthread_mutex_unlock(&wheel->guard);
	return idle;
}

int wheel_start(struct wheel *wheel, int due)
{
	struct alarm *alarm = malloc(sizeof *alarm);
	if (!alarm)
		return -1;
	pthread_mutex_lock(&wheel->guard);
	alarm->due = wheel->ticks + due;
	chain_append(&alarm->link, &wheel->waiting); /* NORACE */
	pthread_mutex_unlock(&wheel->guard);
	return 0;
}
