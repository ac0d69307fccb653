/* A kernel's own condition variable: it gives the lock to the next by hand, sleeps, and comes back with it. Whoever waits
   there has the lock, also when it is a global's that the helper only knows as what it was given. Another helper takes
   and lets go of what its caller has. */
#include <linux/mutex.h>
#include <linux/sched.h>

struct room {
	struct mutex lock;
	int guests;
	int waiting;
};
static struct room hall;
static struct mutex door;
static int opened;

static void sleep_on(int *waiting, struct mutex *lock)
{
	*waiting += 1;
	hand_to_next(lock);
	schedule();
	mutex_lock(lock); /* NODOUBLE-LOCK */
	*waiting -= 1;
}

int room_leave(struct room *room)
{
	mutex_lock(&room->lock);
	while (!room->guests)
		sleep_on(&room->waiting, &room->lock);
	room->guests--;
	mutex_unlock(&room->lock); /* NOUNHELD */
	return 0;             /* NOLEAK */
}

int hall_leave(void)
{
	mutex_lock(&hall.lock);
	while (!hall.guests)
		sleep_on(&hall.waiting, &hall.lock);
	hall.guests--;
	mutex_unlock(&hall.lock);
	return 0; /* NOLEAK */
}

int door_pass(void)
{
	mutex_lock(&door);
	while (!opened)
		sleep_on(&hall.waiting, &door);
	opened--;
	mutex_unlock(&door);
	return 0; /* NOLEAK */
}

static void door_count(struct mutex *lock)
{
	mutex_lock(lock); /* DOUBLE-LOCK */
	opened++;
	mutex_unlock(lock);
}

int door_open(void)
{
	mutex_lock(&door); /* DOUBLE-LOCK */
	door_count(&door);
	mutex_unlock(&door);
	return 0;
}
