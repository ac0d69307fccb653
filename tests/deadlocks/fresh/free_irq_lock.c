#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct panel {
	struct mutex mutex;
	int irq;
	int touches;
	bool on;
};

static irqreturn_t panel_thread(int irq, void *p)
{
	struct panel *pl = p;

	mutex_lock(&pl->mutex);
	pl->touches++;
	mutex_unlock(&pl->mutex);
	return IRQ_HANDLED;
}

int panel_on(struct panel *pl)
{
	int ret = 0;

	mutex_lock(&pl->mutex);
	if (!pl->on)
		ret = request_threaded_irq(pl->irq, NULL, panel_thread, IRQF_ONESHOT, "panel", pl);
	if (!ret)
		pl->on = true;
	mutex_unlock(&pl->mutex);
	return ret;
}
EXPORT_SYMBOL(panel_on);

void panel_off(struct panel *pl)
{
	mutex_lock(&pl->mutex);
	if (pl->on) {
		free_irq(pl->irq, pl); /* DEADLOCK */
		pl->on = false;
	}
	mutex_unlock(&pl->mutex);
}
EXPORT_SYMBOL(panel_off);
