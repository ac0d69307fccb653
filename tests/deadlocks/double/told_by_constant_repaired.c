/* Whether the pool is locked is told by a flag, through two functions and a local. Who holds it says so. */
enum { POOL_WAIT = 1, POOL_LOCKED = 2 };
struct pool { struct mutex lock; int free; };

static void slot_take(struct pool *pool, int flags)
{
	if (!(flags & POOL_LOCKED))
		mutex_lock(&pool->lock); /* NODOUBLE-LOCK */
	pool->free--;
	if (!(flags & POOL_LOCKED))
		mutex_unlock(&pool->lock); /* NOUNHELD */
}

static void slot_get(struct pool *pool, int flags)
{
	if (pool->free)
		slot_take(pool, flags);
}

void pool_get(struct pool *pool)
{
	int how = POOL_WAIT;
	slot_get(pool, how);
}

void pool_get_both(struct pool *pool)
{
	int how = POOL_WAIT | POOL_LOCKED;
	mutex_lock(&pool->lock);
	slot_get(pool, how);
	slot_get(pool, how);
	mutex_unlock(&pool->lock); /* NOUNHELD */
}
