#include <linux/spinlock.h>
#include <linux/slab.h>

struct packet { int size; };
struct port {
	spinlock_t lock;
	struct packet *packet;
	int used, limit;
	int slots[16];
};
static struct port port;

void port_clear(void)
{
	spin_lock(&port.lock);
	kfree(port.packet);
	port.packet = NULL;
	port.limit = 4;
	spin_unlock(&port.lock);
}

int port_size(int i)
{
	struct packet *packet;
	int used, size = -1;
	spin_lock(&port.lock);
	packet = port.packet;
	used = port.used;
	if (!port.packet || i >= port.limit) {
		spin_unlock(&port.lock);
		return -1;
	}
	spin_unlock(&port.lock);
	size = port.packet->size;
	spin_lock(&port.lock);
	port.used = used + 1;
	port.slots[i] = packet->size;
	spin_unlock(&port.lock);
	return size;
}
