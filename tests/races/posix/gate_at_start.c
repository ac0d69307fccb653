/* The pump passes the gate first, but its settings are written once more when the gate is open already. */
#include <threads.h>

static mtx_t gate;
static int pressure, speed;

static int pump(void *argument)
{
	(void)argument;
	mtx_lock(&gate);
	mtx_unlock(&gate);
	return pressure + speed; /* RACE@a */
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
	mtx_unlock(&gate);
	speed = 3; /* RACE@a */
	thrd_join(thread, NULL);
	return 0;
}
