#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/kernel.h>

static struct k_spinlock edges_lock;
static uint32_t edges;
static uint32_t last_cycle;
static struct gpio_callback cb;
static const struct device *port;

static void on_edge(const struct device *dev, struct gpio_callback *c, uint32_t pins)
{
	k_spinlock_key_t key = k_spin_lock(&edges_lock);

	edges++;
	last_cycle = k_cycle_get_32();
	k_spin_unlock(&edges_lock, key);
}

uint32_t edges_take(void)
{
	uint32_t n;
	k_spinlock_key_t key = k_spin_lock(&edges_lock);

	n = edges; // NORACE
	edges = 0;
	k_spin_unlock(&edges_lock, key);
	return n;
}

uint32_t edges_age(void)
{
	k_spinlock_key_t key = k_spin_lock(&edges_lock);
	uint32_t age = k_cycle_get_32() - last_cycle;

	k_spin_unlock(&edges_lock, key);
	return age;
}

static void poll_thread(void *p1, void *p2, void *p3)
{
	for (;;) {
		printk("%u edges, %u ago\n", edges_take(), edges_age());
		k_sleep(K_SECONDS(1));
	}
}
K_THREAD_DEFINE(poll, 512, poll_thread, NULL, NULL, NULL, 8, 0, 0);

int edges_start(void)
{
	port = DEVICE_DT_GET(DT_NODELABEL(gpio0));
	gpio_init_callback(&cb, on_edge, BIT(4));
	gpio_add_callback(port, &cb);
	return gpio_pin_interrupt_configure(port, 4, GPIO_INT_EDGE_BOTH);
}
