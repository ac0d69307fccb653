#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/tty.h>

struct kbd {
	spinlock_t lock;
	u8 codes[32];
	u8 in, out;
	bool shift;
	struct tasklet_struct tasklet;
	void (*sink)(int key);
};

static struct kbd kbd;

static irqreturn_t kbd_interrupt(int irq, void *dev_id)
{
	struct kbd *k = dev_id;
	u8 code = inb(0x60);

	spin_lock(&k->lock);
	k->codes[k->in++ & 31] = code;
	spin_unlock(&k->lock);
	tasklet_schedule(&k->tasklet);
	return IRQ_HANDLED;
}

static void kbd_tasklet(struct tasklet_struct *t)
{
	struct kbd *k = from_tasklet(k, t, tasklet);
	unsigned long flags;
	u8 code;

	for (;;) {
		spin_lock_irqsave(&k->lock, flags);
		if (k->in == k->out) {
			spin_unlock_irqrestore(&k->lock, flags);
			return;
		}
		code = k->codes[k->out++ & 31];
		spin_unlock_irqrestore(&k->lock, flags);
		if (code == 0x2a)
			k->shift = true;
		k->sink(code);
	}
}

void kbd_drain(void)
{
	unsigned long flags;

	spin_lock_irqsave(&kbd.lock, flags);
	kbd.out = kbd.in; // NORACE
	spin_unlock_irqrestore(&kbd.lock, flags);
}
EXPORT_SYMBOL(kbd_drain);

static int __init kbd_init(void)
{
	spin_lock_init(&kbd.lock);
	tasklet_setup(&kbd.tasklet, kbd_tasklet);
	return request_irq(1, kbd_interrupt, 0, "kbd", &kbd);
}
module_init(kbd_init);
