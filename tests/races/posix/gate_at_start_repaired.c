/* The pump passes the gate first, which is opened when all its settings are written. */
#include <threads.h>

static mtx_t gate;
static int pressure, speed;

static int pump(void *argument)
{
	(void)argument;
	mtx_lock(&gate);
	mtx_unlock(&gate);
	return pressure + speed; /* NORACE */
}

static void configure(int value)
{
	pressure = value; /* NORACE */
}

int main(void)
{
	thrd_t thread;
	mtx_init(&gate, mtx_plain);
	mtx_lock(&gate);
	thrd_create(&thread, pump, NULL);
	configure(7);
	speed = 3; /* NORACE */
	mtx_unlock(&gate);
	thrd_join(thread, NULL);
	return 0;
}
