/* c11_threads.c with the lock in both; call_once for what both need. */
#include <threads.h>

static mtx_t stock_lock;
static once_flag stock_once = ONCE_FLAG_INIT;
static int stock, capacity;

static void stock_setup(void)
{
	capacity = 100; /* NORACE */
	mtx_init(&stock_lock, mtx_plain);
}

static int buyer(void *argument)
{
	(void)argument;
	call_once(&stock_once, stock_setup);
	mtx_lock(&stock_lock);
	if (stock > 0) /* NORACE */
		stock--; /* NORACE */
	mtx_unlock(&stock_lock);
	return 0;
}

static int supplier(void *argument)
{
	(void)argument;
	call_once(&stock_once, stock_setup);
	mtx_lock(&stock_lock);
	if (stock < capacity) /* NORACE */
		stock += 10; /* NORACE */
	mtx_unlock(&stock_lock);
	return 0;
}

int main(void)
{
	thrd_t a, b;
	thrd_create(&a, buyer, NULL);
	thrd_create(&b, supplier, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return stock; /* NORACE */
}
