// racerx-verdict: shown
/* Whoever only looks does without the lock, whoever writes takes it: it is for writes, and one goes without. */
#include <linux/spinlock.h>

struct valve { spinlock_t lock; int angle; };

int valve_is_open(struct valve *valve) { return valve->angle > 0; } /* NORACE */
int valve_is_wide(struct valve *valve) { return valve->angle > 45; } /* NORACE */
int valve_is_shut(struct valve *valve) { return valve->angle == 0; } /* NORACE */

void valve_open(struct valve *valve)
{
	spin_lock(&valve->lock);
	valve->angle = 90;
	spin_unlock(&valve->lock);
}

void valve_shut(struct valve *valve)
{
	spin_lock(&valve->lock);
	valve->angle = 0;
	spin_unlock(&valve->lock);
}

void valve_turn(struct valve *valve, int angle)
{
	spin_lock(&valve->lock);
	valve->angle += angle;
	spin_unlock(&valve->lock);
}

void valve_jog(struct valve *valve)
{
	valve->angle++; /* RACE */
}
