/* Lock functions of the program's own, one of which gives back what the library said, and one for a global. */
#include <pthread.h>
#include <stdlib.h>

struct ledger { pthread_mutex_t guard; int open, rows; };
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static int ledger_enter(struct ledger *l) { return pthread_mutex_lock(&l->guard); }
static void ledger_leave(struct ledger *l)
{
	if (pthread_mutex_unlock(&l->guard))
		abort();
}
static void all_enter(void) { pthread_mutex_lock(&all); }
static void all_leave(void) { pthread_mutex_unlock(&all); }

int ledger_add(struct ledger *l, int row)
{
	if (ledger_enter(l))
		return -1; /* NOLEAK */
	if (!l->open)
		return -2; /* LEAK */
	l->rows += row;
	ledger_leave(l);
	return 0; /* NOLEAK */
}

int ledger_sum(struct ledger *l, struct ledger *m)
{
	int sum;
	all_enter();
	ledger_enter(l);
	sum = l->rows;
	ledger_leave(l);
	if (!m)
		return sum; /* LEAK */
	all_leave();
	return sum + m->rows; /* NOLEAK */
}

int ledger_drop(struct ledger *l)
{
	all_enter();
	ledger_enter(l); /* NODOUBLE-LOCK */
	l->rows = 0;
	ledger_leave(l);
	all_enter(); /* DOUBLE-LOCK */
	all_leave();
	return 0;
}
