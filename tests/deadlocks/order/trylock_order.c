/* The lock that is only tried makes no dependency: nobody waits for it. */
#include <linux/semaphore.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(zone_lock);
static DEFINE_SPINLOCK(lru_lock);
static DEFINE_MUTEX(config_lock);
static DEFINE_MUTEX(shrink_lock);
static int pages;

void zone_shrink(void)
{
again:
	spin_lock(&zone_lock);
	if (!spin_trylock(&lru_lock)) { /* NODEADLOCK */
		spin_unlock(&zone_lock);
		cpu_relax();
		goto again;
	}
	pages--;
	spin_unlock(&lru_lock);
	spin_unlock(&zone_lock);
}

void lru_add(void)
{
	spin_lock(&lru_lock);
	spin_lock(&zone_lock); /* NODEADLOCK */
	pages++;
	spin_unlock(&zone_lock);
	spin_unlock(&lru_lock);
}

int config_change(int value)
{
	int locked;
	mutex_lock(&config_lock);
	locked = mutex_trylock(&shrink_lock); /* NODEADLOCK */
	pages = value;
	if (locked)
		mutex_unlock(&shrink_lock);
	mutex_unlock(&config_lock);
	return locked;
}

void shrink_all(void)
{
	mutex_lock(&shrink_lock);
	mutex_lock(&config_lock); /* NODEADLOCK */
	pages = 0;
	mutex_unlock(&config_lock);
	mutex_unlock(&shrink_lock);
}
