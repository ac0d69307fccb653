/* As waits_by_hand.c, and who opens the door does so with the lock that he has. */
#include <linux/mutex.h>
#include <linux/sched.h>

static struct mutex door;
static int opened, waiting;

static void sleep_on(struct mutex *lock)
{
	waiting++;
	hand_to_next(lock);
	schedule();
	mutex_lock(lock); /* NODOUBLE-LOCK */
	waiting--;
}

int door_pass(void)
{
	mutex_lock(&door);
	while (!opened)
		sleep_on(&door);
	opened--;
	mutex_unlock(&door); /* NOUNHELD */
	return 0;       /* NOLEAK */
}

static void door_count(void)
{
	opened++;
}

int door_open(void)
{
	mutex_lock(&door); /* NODOUBLE-LOCK */
	door_count();
	mutex_unlock(&door);
	return 0;
}
