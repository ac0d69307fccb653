/* After each spelling of a trylock that succeeded the lock is held; where it failed it is not. */
#include <linux/mutex.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);
static DEFINE_MUTEX(c);
static DEFINE_MUTEX(d);
static DEFINE_MUTEX(e);
static DEFINE_MUTEX(common);
static int count;

int try_return(void)
{
	if (!mutex_trylock(&a))
		return -EBUSY; /* NOLEAK */
	mutex_lock(&common); /* DEADLOCK@a */
	count++;
	mutex_unlock(&common);
	mutex_unlock(&a); /* NOUNHELD */
	return 0;
}

void try_loop(void)
{
	while (!mutex_trylock(&b))
		cpu_relax();
	mutex_lock(&common); /* DEADLOCK@b */
	count++;
	mutex_unlock(&common);
	mutex_unlock(&b);
}

void try_variable(void)
{
	int ok = mutex_trylock(&c);
	count++;
	if (ok) {
		mutex_lock(&common); /* DEADLOCK@c */
		count++;
		mutex_unlock(&common);
		mutex_unlock(&c); /* NOUNHELD */
	}
} /* NOLEAK */

int try_ladder(int wanted)
{
	int ret = -EBUSY;
	if (wanted < 0)
		goto out;
	if (!mutex_trylock(&d))
		goto out;
	if (wanted > 9)
		goto out_unlock;
	mutex_lock(&common); /* DEADLOCK@d */
	count = wanted;
	mutex_unlock(&common);
	ret = 0;
out_unlock:
	mutex_unlock(&d);
out:
	return ret; /* NOLEAK */
}

int try_compare(void)
{
	if (mutex_trylock(&e) == 1 && count < 8) {
		mutex_lock(&common); /* DEADLOCK@e */
		count++; /* CHECK-THEN-ACT */
		mutex_unlock(&common);
		mutex_unlock(&e);
		return 1;
	}
	return 0; /* LEAK */
}

void all(void)
{
	mutex_lock(&common);
	mutex_lock(&a); /* DEADLOCK@a */
	mutex_unlock(&a);
	mutex_lock(&b); /* DEADLOCK@b */
	mutex_unlock(&b);
	mutex_lock(&c); /* DEADLOCK@c */
	mutex_unlock(&c);
	mutex_lock(&d); /* DEADLOCK@d */
	mutex_unlock(&d);
	mutex_lock(&e); /* DEADLOCK@e */
	mutex_unlock(&e);
	mutex_unlock(&common);
}
