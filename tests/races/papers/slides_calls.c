// racerx-verdict: shown
/* The slides' foo(): called under the lock again and again, and once without it. Here it is a function outside the tree. */
#include <linux/spinlock.h>

struct bus { spinlock_t lock; int speed; };
extern void bus_kick(struct bus *bus);

void bus_start(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_probe(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_retry(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_reset(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_scan(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_flush(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_drain(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }
void bus_wake(struct bus *bus) { spin_lock(&bus->lock); bus_kick(bus); spin_unlock(&bus->lock); }

void bus_resume(struct bus *bus)
{
	spin_lock(&bus->lock);
	bus->speed = 100;
	spin_unlock(&bus->lock);
	bus_kick(bus); /* RACE */
}
