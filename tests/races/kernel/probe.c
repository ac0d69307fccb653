/* probe fills in a fresh object before it is registered; remove takes it down when nobody is left. */
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct sensor { spinlock_t lock; struct list_head list; int value; int scale; char name[16]; };
static DEFINE_SPINLOCK(sensors_lock);
static LIST_HEAD(sensors);

static void sensor_defaults(struct sensor *sensor)
{
	sensor->scale = 10; /* NORACE */
	sensor->value = -1; /* NORACE */
}

int sensor_probe(int irq)
{
	struct sensor *sensor = kzalloc(sizeof(*sensor), GFP_KERNEL);
	if (!sensor)
		return -ENOMEM;
	spin_lock_init(&sensor->lock);
	sensor->value = 0; /* NORACE */
	sensor_defaults(sensor);
	strscpy(sensor->name, "sensor", sizeof(sensor->name)); /* NORACE */
	spin_lock(&sensors_lock);
	list_add(&sensor->list, &sensors);
	spin_unlock(&sensors_lock);
	return 0;
}

void sensor_update(struct sensor *sensor, int value)
{
	spin_lock(&sensor->lock);
	sensor->value = value * sensor->scale; /* NORACE */
	spin_unlock(&sensor->lock);
}

void sensor_rescale(struct sensor *sensor, int scale)
{
	spin_lock(&sensor->lock);
	sensor->scale = scale; /* NORACE */
	sensor->value = 0; /* NORACE */
	spin_unlock(&sensor->lock);
}

int sensor_read(struct sensor *sensor)
{
	int value;
	spin_lock(&sensor->lock);
	value = sensor->value; /* NORACE */
	spin_unlock(&sensor->lock);
	return value;
}
