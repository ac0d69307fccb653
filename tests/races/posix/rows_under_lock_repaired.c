/* Four helpers sum the rows while the table is locked, until the last of them has ended. */
#include <threads.h>

static mtx_t table_lock;
static long total;
static mtx_t helpers_lock;

static int sum_row(void *argument)
{
	(void)argument;
	mtx_lock(&helpers_lock);
	total += 1; /* NORACE */
	mtx_unlock(&helpers_lock);
	return 0;
}

static int clear(void *argument)
{
	(void)argument;
	mtx_lock(&table_lock);
	total = 0; /* NORACE */
	mtx_unlock(&table_lock);
	return 0;
}

int main(void)
{
	thrd_t helpers[4], cleaner;
	mtx_init(&table_lock, mtx_plain);
	mtx_init(&helpers_lock, mtx_plain);
	thrd_create(&cleaner, clear, NULL);
	mtx_lock(&table_lock);
	for (int i = 0; i < 4; i++)
		thrd_create(&helpers[i], sum_row, NULL);
	for (int i = 0; i < 4; i++)
		thrd_join(helpers[i], NULL);
	mtx_unlock(&table_lock);
	thrd_join(cleaner, NULL);
	return total == 4; /* NORACE */
}
