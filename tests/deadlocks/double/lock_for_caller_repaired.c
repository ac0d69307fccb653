/* A wrapper does something, takes the lock of the whole system and comes back with it. Nobody calls it with the lock. */
#include <linux/mutex.h>

static struct mutex system_mutex;
static int sleepers;

static unsigned int system_lock(void)
{
	unsigned int before = note_freezer();
	sleepers++;
	mutex_lock(&system_mutex); /* NODOUBLE-LOCK */
	return before;
}

static void system_unlock(unsigned int before)
{
	mutex_unlock(&system_mutex);
	restore_freezer(before);
}

int system_hibernate(int mode)
{
	unsigned int before;
	int state;
	if (mode < 0)
		return -EINVAL;
	before = system_lock();
	state = mode;
	system_unlock(before);
	return state;
}

int system_reboot(int command)
{
	int state = 0;
	mutex_lock(&system_mutex); /* NODOUBLE-LOCK */
	if (command == 5)
		state = 1;
	mutex_unlock(&system_mutex);
	return state;
}
