#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a_mx = PTHREAD_MUTEX_INITIALIZER, b_mx = PTHREAD_MUTEX_INITIALIZER;
static int stock_a, stock_b, moved;

static void move_ab(void)
{
	pthread_mutex_lock(&a_mx);
	stock_a--;
	pthread_mutex_lock(&b_mx);
	stock_b++;
	moved++;
	pthread_mutex_unlock(&b_mx);
	pthread_mutex_unlock(&a_mx);
}

static void recount(void)
{
	pthread_mutex_lock(&b_mx);
	stock_b = stock_b / 2 * 2; // NORACE
	pthread_mutex_unlock(&b_mx);
}

static int show(void)
{
	int n;
	pthread_mutex_lock(&b_mx);
	n = stock_b + moved;
	pthread_mutex_unlock(&b_mx);
	return n;
}

static void *mover(void *u) { int i; for (i = 0; i < 200; i++) move_ab(); return u; }
static void *counter(void *u) { int i; for (i = 0; i < 200; i++) recount(); return u; }
static void *viewer(void *u) { int i, n = 0; for (i = 0; i < 200; i++) n += show(); printf("%d\n", n); return u; }

int main(void)
{
	pthread_t m, c, v;
	pthread_create(&m, NULL, mover, NULL);
	pthread_create(&c, NULL, counter, NULL);
	pthread_create(&v, NULL, viewer, NULL);
	pthread_join(m, NULL);
	pthread_join(c, NULL);
	pthread_join(v, NULL);
	return 0;
}
