/* A helper that locks is right when it is called without the lock, and wrong when one caller holds it. */
#include <linux/mutex.h>

struct account { struct mutex lock; int balance, fees; };

static int account_balance(struct account *account)
{
	int balance;
	mutex_lock(&account->lock); /* DOUBLE-LOCK */
	balance = account->balance - account->fees;
	mutex_unlock(&account->lock);
	return balance;
}

int account_print(struct account *account)
{
	return account_balance(account);
}

int account_draw(struct account *account, int amount)
{
	int error = -EINVAL;
	mutex_lock(&account->lock);
	if (account_balance(account) >= amount) {
		account->balance -= amount;
		error = 0;
	}
	mutex_unlock(&account->lock);
	return error;
}
