/* Sleeps until `cond`, with the lock let go meanwhile. */
#define SLEEP_UNTIL(queue, cond, lock_it, unlock_it)			\
do {									\
	struct sleeper me = { .task = current, .state = 1, .next = 0 };	\
	sleeper_add(&(queue), &me);					\
	for (;;) {							\
		me.state = 2;						\
		if (cond)						\
			break;						\
		unlock_it;						\
		schedule();						\
		lock_it;						\
		sleeper_woken(&(queue), &me, me.state, 0);		\
	}								\
	me.state = 0;							\
	sleeper_remove(&(queue), &me);					\
} while (0)
