// racerx-verdict: shown
/* Who overwrites an object as a whole makes it: that says nothing of what others have to hold. */
#include <linux/spinlock.h>
#include <linux/string.h>

struct basket { spinlock_t lock; int apples; };

void basket_make(struct basket *basket, int apples)
{
	memset(basket, 0, sizeof(*basket));
	basket->apples = apples; /* NORACE */
	if (basket->apples < 0)
		basket->apples = 0; /* NORACE */
}

void basket_put(struct basket *basket)
{
	spin_lock(&basket->lock);
	basket->apples++;
	spin_unlock(&basket->lock);
}

void basket_fill(struct basket *basket)
{
	spin_lock(&basket->lock);
	basket->apples = 10;
	spin_unlock(&basket->lock);
}

void basket_take(struct basket *basket)
{
	basket->apples--; /* RACE */
}
