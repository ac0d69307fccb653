#include <zephyr/kernel.h>
#include "spinlock.h"

static struct k_spinlock alarms_lock;
static int alarms, latest;

int alarm_raise(int level)
{
	K_SPINLOCK(&alarms_lock) {
		alarms++;
		if (level < 3)
			K_SPINLOCK_BREAK;
		latest = level;
	}
	return 0; /* NOLEAK */
}

int alarm_drop(void)
{
	k_spinlock_key_t key = k_spin_lock(&alarms_lock);

	alarms--;
	if (alarms < 0)
		return -EINVAL; /* LEAK */
	k_spin_unlock(&alarms_lock, key);
	return 0;
}
