// racerx-verdict: shown
/* probe.c with an initialisation that comes when the object is already on the list. */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct sensor { struct list_head list; int value; int scale; };
static DEFINE_SPINLOCK(sensors_lock);
static LIST_HEAD(sensors);

int sensor_probe(void)
{
	struct sensor *sensor = kzalloc(sizeof(*sensor), GFP_KERNEL);
	if (!sensor)
		return -ENOMEM;
	sensor->scale = 10; /* NORACE */
	spin_lock(&sensors_lock);
	list_add(&sensor->list, &sensors);
	spin_unlock(&sensors_lock);
	sensor->value = -1; /* RACE */
	return 0;
}

void sensors_clear(void)
{
	struct sensor *sensor;
	spin_lock(&sensors_lock);
	list_for_each_entry(sensor, &sensors, list)
		sensor->value = 0;
	spin_unlock(&sensors_lock);
}

int sensors_sum(void)
{
	struct sensor *sensor;
	int sum = 0;
	spin_lock(&sensors_lock);
	list_for_each_entry(sensor, &sensors, list)
		sum += sensor->value;
	spin_unlock(&sensors_lock);
	return sum;
}

void sensor_up(struct sensor *s) { spin_lock(&sensors_lock); s->value++; spin_unlock(&sensors_lock); }
void sensor_down(struct sensor *s) { spin_lock(&sensors_lock); s->value--; spin_unlock(&sensors_lock); }
int sensor_value(struct sensor *s) { int v; spin_lock(&sensors_lock); v = s->value; spin_unlock(&sensors_lock); return v; }
int sensor_negative(struct sensor *s) { int v; spin_lock(&sensors_lock); v = s->value < 0; spin_unlock(&sensors_lock); return v; }
void sensor_set(struct sensor *s, int v) { spin_lock(&sensors_lock); s->value = v; spin_unlock(&sensors_lock); }
void sensor_scale(struct sensor *s, int v) { spin_lock(&sensors_lock); s->scale = v; spin_unlock(&sensors_lock); }
