#include <zephyr/kernel.h>
#include <zephyr/drivers/sensor.h>

struct meter {
	struct k_spinlock lock;
	struct k_mutex cal;
	int raw;
	int offset;
};

static struct meter meter;

static int meter_offset(struct meter *m)
{
	int o;

	k_mutex_lock(&m->cal, K_FOREVER); /* SLEEP */
	o = m->offset;
	k_mutex_unlock(&m->cal);
	return o;
}

int meter_read(struct meter *m)
{
	k_spinlock_key_t key = k_spin_lock(&m->lock);
	int v = m->raw + meter_offset(m);

	k_spin_unlock(&m->lock, key);
	return v;
}

void meter_calibrate(int offset)
{
	k_mutex_lock(&meter.cal, K_FOREVER);
	meter.offset = offset;
	k_mutex_unlock(&meter.cal);
}
