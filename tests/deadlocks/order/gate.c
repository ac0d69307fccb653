/* The gate is held on one way only: it does not help. */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(gate);
static DEFINE_SPINLOCK(left);
static DEFINE_SPINLOCK(right);
static int balance;

void move_right(int amount)
{
	spin_lock(&gate);
	spin_lock(&left);
	spin_lock(&right); /* DEADLOCK@a */
	balance += amount;
	spin_unlock(&right);
	spin_unlock(&left);
	spin_unlock(&gate);
}

void move_left(int amount)
{
	spin_lock(&gate);
	balance--;
	spin_unlock(&gate);
	spin_lock(&right);
	spin_lock(&left); /* DEADLOCK@a */
	balance -= amount;
	spin_unlock(&left);
	spin_unlock(&right);
}
