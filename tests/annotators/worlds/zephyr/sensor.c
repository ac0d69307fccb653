// A sensor's driver and two threads: the locks of this kernel, right and wrong.
#include <zephyr/kernel.h>
#include <zephyr/device.h>
#include <zephyr/irq.h>

K_MUTEX_DEFINE(config_lock);
K_MUTEX_DEFINE(table_lock);
K_SEM_DEFINE(data_ready, 0, 1);
static struct k_spinlock fifo_lock, chain_lock;
static K_CONDVAR_DEFINE(changed);

static int rate, users, samples, errors, events, wakes, fifo, chained, mode, range, ticks, late, worked, settled, opened;

struct sensor_data {
	struct k_spinlock lock;
	struct k_work work;
	struct k_timer timer;
	int value, raw;
};

// Handler and threads: the lock, or interrupts off.
static void sensor_isr(const void *argument)
{
	struct sensor_data *data = (struct sensor_data *)argument;
	k_spinlock_key_t key = k_spin_lock(&data->lock); /* NOIRQ-DEADLOCK */

	data->value = data->raw; /* NORACE */
	k_spin_unlock(&data->lock, key);
	events++; /* NORACE */
	errors++; /* RACE@errors */
	k_sem_give(&data_ready);
	k_work_submit(&data->work);
}

int sensor_fetch(const struct device *dev)
{
	struct sensor_data *data = dev->data;
	int value;

	k_sem_take(&data_ready, K_FOREVER);
	K_SPINLOCK(&data->lock) {
		value = data->value; /* NORACE */
		data->value = 0; /* NORACE */
	}
	return value;
}

int sensor_events(void)
{
	unsigned int key = irq_lock();
	int n = events;

	events = 0; /* NORACE */
	irq_unlock(key);
	errors = errors - n; /* RACE@errors */
	return n;
}

// Interrupts are off for this thread only: it may sleep.
void sensor_wait(void)
{
	unsigned int key = irq_lock();

	while (events == 0) {
		k_sleep(K_MSEC(10)); /* NOSLEEP */
	}
	irq_unlock(key);
}

void sensor_spin(void)
{
	k_spinlock_key_t key = k_spin_lock(&fifo_lock);

	fifo++;
	k_msleep(10); /* SLEEP */
	k_spin_unlock(&fifo_lock, key);
}

int sensor_leak(int most)
{
	k_spinlock_key_t key = k_spin_lock(&fifo_lock);

	if (fifo > most) {
		return -1; /* LEAK */
	}
	fifo = 0;
	k_spin_unlock(&fifo_lock, key);
	return 0;
}

// Two orders.
void chain_in(void)
{
	k_spinlock_key_t key = k_spin_lock(&fifo_lock);
	k_spinlock_key_t inner = k_spin_lock(&chain_lock); /* DEADLOCK@orders */

	chained++;
	k_spin_unlock(&chain_lock, inner);
	k_spin_unlock(&fifo_lock, key);
}

void chain_out(void)
{
	k_spinlock_key_t key = k_spin_lock(&chain_lock);
	k_spinlock_key_t inner = k_spin_lock(&fifo_lock); /* DEADLOCK@orders */

	chained--;
	k_spin_unlock(&fifo_lock, inner);
	k_spin_unlock(&chain_lock, key);
}

// A mutex that nests, one that is only tried, one that is waited for a while.
int rate_set(int value)
{
	k_mutex_lock(&config_lock, K_FOREVER);
	k_mutex_lock(&config_lock, K_FOREVER); /* NODOUBLE-LOCK */
	rate = value; /* RACE@rate */
	users++; /* NORACE */
	k_mutex_unlock(&config_lock);
	k_mutex_unlock(&config_lock);
	return 0;
}

int rate_try(int value)
{
	if (k_mutex_lock(&config_lock, K_NO_WAIT) != 0) {
		return -EBUSY; /* NOLEAK */
	}
	rate = value;
	users--; /* NORACE */
	k_mutex_unlock(&config_lock);
	if (k_mutex_lock(&config_lock, K_MSEC(100))) {
		return -EAGAIN;
	}
	users = 0; /* NORACE */
	k_mutex_unlock(&config_lock); /* NOUNHELD */
	return 0;
}

int rate_get(void)
{
	k_mutex_lock(&config_lock, K_FOREVER);
	users++; /* NORACE */
	rate++;
	k_mutex_unlock(&config_lock);
	return 0;
}

void rate_reset(void)
{
	rate = 0; /* RACE@rate */
	k_mutex_lock(&table_lock, K_FOREVER);
	opened++;
	k_mutex_unlock(&table_lock);
}

// A wait that lets go of its mutex.
void settle(void)
{
	k_mutex_lock(&table_lock, K_FOREVER);
	while (!settled) {
		k_condvar_wait(&changed, &table_lock, K_FOREVER);
	}
	settled = 0; /* NORACE */
	k_mutex_unlock(&table_lock);
}

void settle_now(void)
{
	k_mutex_lock(&table_lock, K_FOREVER);
	settled = 1; /* NORACE */
	k_condvar_signal(&changed);
	k_mutex_unlock(&table_lock);
}

// Without the scheduler there are no other threads, but handlers.
void mode_set(int value)
{
	k_sched_lock();
	mode = value; /* NORACE */
	k_sched_unlock();
}

void mode_next(void)
{
	unsigned int key = irq_lock();

	mode++; /* NORACE */
	irq_unlock(key);
}

// A timer ends in the clock's handler, work is done in a thread.
static void expired(struct k_timer *timer)
{
	ticks++; /* RACE@ticks */
	late++; /* NORACE */
}
K_TIMER_DEFINE(clock, expired, NULL);

int ticks_get(void)
{
	unsigned int key = irq_lock();
	int n = late--; /* NORACE */

	irq_unlock(key);
	ticks -= 2; /* RACE@ticks */
	return n;
}

static void work_done(struct k_work *work)
{
	k_mutex_lock(&table_lock, K_FOREVER);
	worked++;
	k_mutex_unlock(&table_lock);
}

void work_stop(struct sensor_data *data)
{
	struct k_work_sync sync;

	k_mutex_lock(&table_lock, K_FOREVER);
	k_work_cancel_sync(&data->work, &sync); /* DEADLOCK */
	k_mutex_unlock(&table_lock);
}

static void thread_entry(void *a, void *b, void *c)
{
	wakes++; /* RACE@wakes */
	k_spinlock_key_t key = k_spin_lock(&chain_lock);
	range++; /* NORACE */
	k_spin_unlock(&chain_lock, key);
}
K_THREAD_DEFINE(sensor_thread, 1024, thread_entry, NULL, NULL, NULL, 5, 0, 0);

ISR_DIRECT_DECLARE(fast_isr)
{
	k_spinlock_key_t key = k_spin_lock(&chain_lock);
	range = 0; /* NORACE */
	k_spin_unlock(&chain_lock, key);
	wakes++; /* RACE@wakes */
	return 1;
}

static int sensor_init(const struct device *dev)
{
	struct sensor_data *data = dev->data;

	IRQ_CONNECT(5, 1, sensor_isr, &sensor_state, 0);
	IRQ_DIRECT_CONNECT(6, 1, fast_isr, 0);
	k_work_init(&data->work, work_done);
	data->raw = 0;
	users = rate = 0; /* NORACE */
	return 0;
}
SYS_INIT(sensor_init, POST_KERNEL, 90);
