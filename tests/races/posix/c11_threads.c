/* The threads and mutexes of C11. */
#include <threads.h>

static mtx_t stock_lock;
static int stock, orders;

static int buyer(void *argument)
{
	(void)argument;
	mtx_lock(&stock_lock);
	stock--; /* RACE@a */
	orders++; /* NORACE */
	mtx_unlock(&stock_lock);
	return 0;
}

static int supplier(void *argument)
{
	(void)argument;
	stock += 10; /* RACE@a */
	mtx_lock(&stock_lock);
	orders--; /* NORACE */
	mtx_unlock(&stock_lock);
	return 0;
}

int main(void)
{
	thrd_t a, b;
	mtx_init(&stock_lock, mtx_plain);
	thrd_create(&a, buyer, NULL);
	thrd_create(&b, supplier, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return stock; /* NORACE */
}
