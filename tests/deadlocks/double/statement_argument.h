/* statement_argument.h: a long macro that is given statements. */
#define STATE(x) do { trace_state((x), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16); \
		barrier_of((x), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20); \
		note_of((x), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20); \
		check_of((x), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20); } while (0)
#define LONG(x) do { STATE(x); STATE(x); STATE(x); STATE(x); STATE(x); STATE(x); STATE(x); STATE(x); } while (0)
#define SLEEP_UNTIL(queue, condition, lock_it, unlock_it)	\
do {								\
	add_wait(&(queue));					\
	for (;;) {						\
		LONG(1);					\
		if (condition)					\
			break;					\
		unlock_it;					\
		schedule();					\
		lock_it;					\
	}							\
	LONG(0);						\
	remove_wait(&(queue));					\
} while (0)
