/* C11: an order is handed out through `*out`, which a global is given to, and is then filled in. */
#include <stdlib.h>
#include <threads.h>

struct order { int items; int price; };
static struct order *current;
static mtx_t desk;

static void order_make(struct order **out, int items)
{
	struct order *order = malloc(sizeof *order);
	order->items = items; /* NORACE */
	order->price = 2 * items; /* NORACE */
	mtx_lock(&desk);
	*out = order;
	mtx_unlock(&desk);
}

static int clerk(void *data)
{
	for (int i = 0; i < 10; i++)
		order_make(&current, i);
	return data != NULL;
}

static int own_order(void)
{
	struct order *mine;
	order_make(&mine, 3);
	return mine->price;
}

int main(void)
{
	thrd_t thread;
	int price = own_order();
	mtx_init(&desk, mtx_plain);
	thrd_create(&thread, clerk, NULL);
	mtx_lock(&desk);
	if (current)
		price += current->price; /* NORACE */
	mtx_unlock(&desk);
	thrd_join(thread, NULL);
	return price;
}
