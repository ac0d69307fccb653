/* A function of a gadget is bound before its device is there; its requests are under the lock. What writes to the device
   without it is wrong. */
#include <linux/spinlock.h>
#include <linux/usb/composite.h>

struct keys {
	struct usb_function function;
	spinlock_t lock;
	int pending;
	int lost;
};

static void keys_clear(struct keys *keys)
{
	keys->pending = 0; /* NORACE */
	keys->lost = 0; /* NORACE */
}

static int keys_bind(struct usb_configuration *configuration, struct usb_function *function)
{
	struct keys *keys = container_of(function, struct keys, function);
	keys_clear(keys);
	return keys_register(keys);
}

static void keys_disable(struct usb_function *function)
{
	struct keys *keys = container_of(function, struct keys, function);
	spin_lock(&keys->lock);
	keys_clear(keys);
	spin_unlock(&keys->lock);
}

ssize_t keys_write(struct keys *keys)
{
	int pending;
	spin_lock(&keys->lock);
	pending = keys->pending++;
	keys->lost += pending > 4;
	spin_unlock(&keys->lock);
	return pending;
}

void keys_flush(struct keys *keys)
{
	spin_lock(&keys->lock);
	keys->pending = 0;
	keys->lost = 0;
	spin_unlock(&keys->lock);
	keys->lost = 1; /* RACE */
}

int keys_all_bound(struct usb_configuration *configuration, struct usb_function *function)
{
	return function->bind(configuration, function);
}

struct usb_function *keys_alloc(struct keys *keys)
{
	keys->function.bind = keys_bind;
	keys->function.disable = keys_disable;
	return &keys->function;
}
