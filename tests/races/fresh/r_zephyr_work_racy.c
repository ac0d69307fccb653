#include <zephyr/kernel.h>

struct blink {
	struct k_mutex lock;
	struct k_work_delayable work;
	uint32_t period_ms;
	bool on;
	uint32_t toggles;
};

static struct blink led;

static void led_work(struct k_work *w)
{
	k_mutex_lock(&led.lock, K_FOREVER);
	led.on = !led.on;
	led.toggles++;
	k_work_schedule(&led.work, K_MSEC(led.period_ms));
	k_mutex_unlock(&led.lock);
}

void led_set_period(uint32_t ms)
{
	k_mutex_lock(&led.lock, K_FOREVER);
	led.period_ms = ms;
	k_mutex_unlock(&led.lock);
}

uint32_t led_toggles(void)
{
	uint32_t n;
	k_mutex_lock(&led.lock, K_FOREVER);
	n = led.toggles;
	k_mutex_unlock(&led.lock);
	return n;
}

void led_reset(void)
{
	led.toggles = 0; // RACE!
	led.on = false; // RACE!
}

void led_start(void)
{
	k_mutex_init(&led.lock);
	k_work_init_delayable(&led.work, led_work);
	led.period_ms = 500;
	k_work_schedule(&led.work, K_NO_WAIT);
}
