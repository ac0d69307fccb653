#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>

LOG_MODULE_REGISTER(pump);

#define STACK 1024

struct pump_state {
	struct k_mutex lock;
	int speed;
	int target;
	bool fault;
};

static struct pump_state pump;

static void control_loop(void *a, void *b, void *c)
{
	ARG_UNUSED(a);
	ARG_UNUSED(b);
	ARG_UNUSED(c);

	while (1) {
		k_mutex_lock(&pump.lock, K_FOREVER);
		if (pump.fault) {
			pump.speed = 0;
		} else if (pump.speed < pump.target) {
			pump.speed++;
		} else if (pump.speed > pump.target) {
			pump.speed--;
		}
		k_mutex_unlock(&pump.lock);
		k_msleep(10);
	}
}

static void supervisor(void *a, void *b, void *c)
{
	while (1) {
		if (pump.speed > 100) {
			pump.fault = true; // RACE!
		}
		k_msleep(100);
	}
}

void pump_set(int target)
{
	k_mutex_lock(&pump.lock, K_FOREVER);
	pump.target = target;
	k_mutex_unlock(&pump.lock);
}

static int pump_init(void)
{
	k_mutex_init(&pump.lock);
	return 0;
}

SYS_INIT(pump_init, APPLICATION, 50);
K_THREAD_DEFINE(control_tid, STACK, control_loop, NULL, NULL, NULL, 5, 0, 0);
K_THREAD_DEFINE(super_tid, STACK, supervisor, NULL, NULL, NULL, 7, 0, 0);
