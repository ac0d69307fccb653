/* All cells of a chain are locked in one loop and let go in another, or the one cell that is alone. An early return forgets them. */
struct cell { struct mutex lock; struct cell *next; int value; };
struct chain { struct cell *first, *alone; int sealed; };

static void chain_lock(struct chain *chain)
{
	struct cell *cell;
	if (!chain->first) {
		mutex_lock(&chain->alone->lock); /* NODOUBLE-LOCK */
		return;
	}
	for (cell = chain->first; cell; cell = cell->next)
		mutex_lock(&cell->lock); /* NODOUBLE-LOCK */
} /* NOLEAK */

static void chain_unlock(struct chain *chain)
{
	struct cell *cell;
	if (!chain->first) {
		mutex_unlock(&chain->alone->lock); /* NOUNHELD */
		return;
	}
	for (cell = chain->first; cell; cell = cell->next)
		mutex_unlock(&cell->lock); /* NOUNHELD */
}

int chain_seal(struct chain *chain)
{
	chain_lock(chain);
	if (chain->sealed)
		return -EALREADY; /* LEAK */
	chain->sealed = 1;
	chain_unlock(chain);
	return 0; /* NOLEAK */
}
