#include <stdio.h>
#include "osal.h"

struct telemetry {
	osal_mutex_t *mtx;
	unsigned frames;
	unsigned dropped;
	int last_rssi;
};

static struct telemetry tlm;

static void tlm_frame(struct telemetry *t, int rssi)
{
	osal_mutex_take(t->mtx);
	t->frames++;
	t->last_rssi = rssi;
	osal_mutex_give(t->mtx);
}

static void tlm_drop(struct telemetry *t)
{
	t->dropped++;
	t->last_rssi = -127; // RACE!
}

static void radio_task(void *arg)
{
	struct telemetry *t = arg;
	for (int i = 0; i < 500; i++)
		if (i % 9 == 0)
			tlm_drop(t);
		else
			tlm_frame(t, -i % 100);
}

static void beacon_task(void *arg)
{
	for (int i = 0; i < 100; i++)
		tlm_frame(arg, 0);
}

int main(void)
{
	osal_task_t *r, *b;

	tlm.mtx = osal_mutex_create();
	r = osal_task_spawn("radio", radio_task, &tlm);
	b = osal_task_spawn("beacon", beacon_task, &tlm);
	osal_task_wait(r);
	osal_task_wait(b);
	printf("%u %u %d\n", tlm.frames, tlm.dropped, tlm.last_rssi);
	return 0;
}
