/* C11: a thread is told which mutex guards its device, through a structure of its own kind of argument. */
#include <threads.h>

static mtx_t port_lock, journal_lock;
static int sent, noted;

static int sender(void *data)
{
	mtx_t *mine = (mtx_t *)data;
	mtx_lock(mine);
	sent++;
	mtx_lock(&journal_lock); /* NODEADLOCK */
	noted++;
	mtx_unlock(&journal_lock);
	mtx_unlock(mine);
	return 0;
}

static int rotate(void *data)
{
	mtx_lock(&port_lock);
	mtx_lock(&journal_lock); /* NODEADLOCK */
	sent = noted = 0;
	mtx_unlock(&port_lock);
	mtx_unlock(&journal_lock);
	return data != NULL;
}

int main(void)
{
	thrd_t a, b;
	mtx_init(&port_lock, mtx_plain);
	mtx_init(&journal_lock, mtx_plain);
	thrd_create(&a, sender, &port_lock);
	thrd_create(&b, rotate, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return sent + noted;
}
