// racerx-verdict: shown
/* The meter's work is waited for before its last reading is written without the lock. */
struct meter { struct mutex lock; struct work_struct work; int reading; int errors; };

static void meter_set(struct meter *meter, int reading)
{
	mutex_lock(&meter->lock);
	meter->reading = reading;
	meter->errors = 1;
	mutex_unlock(&meter->lock);
}

static void meter_scale(struct meter *meter)
{
	mutex_lock(&meter->lock);
	meter->reading *= 2;
	mutex_unlock(&meter->lock);
}

static void meter_clamp(struct meter *meter)
{
	mutex_lock(&meter->lock);
	if (meter->reading > 999)
		meter->reading = 999;
	mutex_unlock(&meter->lock);
}

static void meter_work(struct work_struct *work)
{
	struct meter *meter = container_of(work, struct meter, work);
	mutex_lock(&meter->lock);
	meter->reading++;
	meter->errors = 0;
	mutex_unlock(&meter->lock);
	meter_set(meter, 7);
	meter_scale(meter);
	meter_clamp(meter);
}

void meter_start(struct meter *meter)
{
	mutex_init(&meter->lock);
	INIT_WORK(&meter->work, meter_work);
	schedule_work(&meter->work);
}

void meter_stop(struct meter *meter)
{
	cancel_work_sync(&meter->work);
	meter->reading = -1; /* NORACE */
}
