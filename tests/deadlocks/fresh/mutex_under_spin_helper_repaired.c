#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/regmap.h>
#include <linux/i2c.h>

struct codec {
	spinlock_t state_lock;
	struct mutex bus_mutex;
	int state;
	int volume;
	u8 shadow[16];
};

static void codec_write(struct codec *c, u8 reg, u8 val)
{
	mutex_lock(&c->bus_mutex);
	c->shadow[reg & 15] = val;
	mutex_unlock(&c->bus_mutex);
}

static void codec_apply(struct codec *c)
{
	codec_write(c, 1, c->volume);
	codec_write(c, 2, c->state);
}

void codec_set_volume(struct codec *c, int v)
{
	unsigned long flags;

	spin_lock_irqsave(&c->state_lock, flags);
	c->volume = v;
	spin_unlock_irqrestore(&c->state_lock, flags);
	codec_apply(c);
}
EXPORT_SYMBOL(codec_set_volume);

void codec_init(struct codec *c)
{
	spin_lock_init(&c->state_lock);
	mutex_init(&c->bus_mutex);
	codec_write(c, 0, 0x80);
}
EXPORT_SYMBOL(codec_init);
