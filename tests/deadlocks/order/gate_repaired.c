/* Whoever takes the two holds the gate: the orders contradict each other, and nobody can meet. */
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(gate);
static DEFINE_SPINLOCK(left);
static DEFINE_SPINLOCK(right);
static int balance;

static void take_back(int amount)
{
	spin_lock(&right);
	spin_lock(&left); /* NODEADLOCK */
	balance -= amount;
	spin_unlock(&left);
	spin_unlock(&right);
}

void move_right(int amount)
{
	spin_lock(&gate);
	spin_lock(&left);
	spin_lock(&right); /* NODEADLOCK */
	balance += amount;
	spin_unlock(&right);
	spin_unlock(&left);
	spin_unlock(&gate);
}

void move_left(int amount)
{
	spin_lock(&gate);
	take_back(amount);
	spin_unlock(&gate);
}

void look(void)
{
	spin_lock(&right);
	balance++;
	spin_unlock(&right);
}
