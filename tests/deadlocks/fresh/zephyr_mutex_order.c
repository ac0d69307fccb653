#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

K_MUTEX_DEFINE(radio_lock);
K_MUTEX_DEFINE(flash_lock);

static int rssi;
static int log_pages;

static void flash_append(int v)
{
	k_mutex_lock(&flash_lock, K_FOREVER); /* DEADLOCK */
	log_pages += v > 0;
	k_mutex_unlock(&flash_lock);
}

static void radio_thread(void *a, void *b, void *c)
{
	while (1) {
		k_mutex_lock(&radio_lock, K_FOREVER);
		rssi--;
		flash_append(rssi);
		k_mutex_unlock(&radio_lock);
		k_msleep(10);
	}
}

static void upload_thread(void *a, void *b, void *c)
{
	while (1) {
		int pages;
		k_mutex_lock(&flash_lock, K_FOREVER);
		pages = log_pages;
		log_pages = 0;
		if (pages) {
			k_mutex_lock(&radio_lock, K_FOREVER); /* DEADLOCK */
			printk("sending %d at %d\n", pages, rssi);
			k_mutex_unlock(&radio_lock);
		}
		k_mutex_unlock(&flash_lock);
		k_sleep(K_MSEC(100));
	}
}

K_THREAD_DEFINE(radio_tid, 1024, radio_thread, NULL, NULL, NULL, 5, 0, 0);
K_THREAD_DEFINE(upload_tid, 1024, upload_thread, NULL, NULL, NULL, 7, 0, 0);
