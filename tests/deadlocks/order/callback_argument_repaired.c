/*
 * One helper, three calls: each calls the function it was given with the lock it was given, not what another
 * call passes. Mixed up, (b, take_a) would turn (a, take_b) round.
 */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(a);
static DEFINE_SPINLOCK(b);
static DEFINE_SPINLOCK(c);
static int count;

static void locked(spinlock_t *lock, void (*function)(int value), int value)
{
	spin_lock(lock);
	function(value);
	spin_unlock(lock);
}
static void take_b(int value)
{
	spin_lock(&b); /* NODEADLOCK */ /* NODOUBLE-LOCK */
	count += value;
	spin_unlock(&b);
}
static void take_a(int value)
{
	spin_lock(&a); /* NODEADLOCK */ /* NODOUBLE-LOCK */
	count -= value;
	spin_unlock(&a);
}
static void touch(int value) { count = value; }

void count_up(int value) { locked(&a, take_b, value); }
void count_set(int value) { locked(&b, touch, value); }
void count_down(int value) { locked(&c, take_a, value); }
