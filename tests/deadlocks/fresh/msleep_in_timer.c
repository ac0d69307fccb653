#include <linux/delay.h>
#include <linux/timer.h>
#include <linux/slab.h>
#include <linux/leds.h>

struct blinker {
	struct timer_list timer;
	int on;
	int period;
};

static void led_write(struct blinker *b, int on)
{
	b->on = on;
	msleep(5); /* SLEEP */
}

static void led_toggle(struct blinker *b)
{
	led_write(b, !b->on);
}

static void blink(struct timer_list *t)
{
	struct blinker *b = from_timer(b, t, timer);

	led_toggle(b);
	mod_timer(&b->timer, jiffies + b->period);
}

struct blinker *blinker_create(int period)
{
	struct blinker *b = kzalloc(sizeof(*b), GFP_KERNEL);

	if (!b)
		return NULL;
	b->period = period;
	timer_setup(&b->timer, blink, 0);
	mod_timer(&b->timer, jiffies + period);
	return b;
}
EXPORT_SYMBOL(blinker_create);

void blinker_destroy(struct blinker *b)
{
	del_timer_sync(&b->timer);
	kfree(b);
}
EXPORT_SYMBOL(blinker_destroy);
