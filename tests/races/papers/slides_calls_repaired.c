// racerx-verdict: shown
/* slides_calls.c, always under the lock; and a function that is called with and without it, half and half. */
#include <linux/spinlock.h>

struct bus { spinlock_t lock; int speed; };
extern void bus_kick(struct bus *bus);
extern void bus_trace(struct bus *bus);

void bus_start(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); bus_trace(bus); }
void bus_probe(struct bus *bus) { spin_lock(&bus->lock); bus_trace(bus); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_retry(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); bus_trace(bus); }
void bus_reset(struct bus *bus) { spin_lock(&bus->lock); bus_trace(bus); bus_kick(bus); spin_unlock(&bus->lock); }

void bus_resume(struct bus *bus)
{
	spin_lock(&bus->lock);
	bus->speed = 100; /* NORACE */
	bus_kick(bus); /* NORACE */
	spin_unlock(&bus->lock);
	bus_trace(bus); /* NORACE */
}
