/* One lock of an array, chosen by a number that a helper works out: taken by one helper, let go by another that is told
 * the number. Which element it is neither can say; it is the same. Who lets go on an early way has taken none. */
#include <pthread.h>

static pthread_mutex_t slots[64];
static unsigned power = 6;
static int values[64];

unsigned slot_hash(const char *key);

static void slot_lock(unsigned hash)
{
	pthread_mutex_lock(&slots[hash & ((1u << power) - 1)]);
}

static void slot_unlock(unsigned hash)
{
	pthread_mutex_unlock(&slots[hash & ((1u << power) - 1)]);
}

static int *slot_get_locked(const char *key, unsigned *hash)
{
	*hash = slot_hash(key);
	slot_lock(*hash);
	return values[*hash & 63] ? &values[*hash & 63] : 0;
}

int slot_clear(const char *key)
{
	unsigned hash;
	int *value = slot_get_locked(key, &hash), old = 0;
	if (value) {
		old = *value;
		*value = 0;
	}
	slot_unlock(hash); /* NOUNHELD */
	return old;
}

int slot_set(const char *key, int value)
{
	unsigned hash = 0;
	int *at;
	if (value < 0)
		goto out;
	at = slot_get_locked(key, &hash);
	if (at)
		*at = value;
out:
	slot_unlock(hash); /* UNHELD */
	return value;
}
