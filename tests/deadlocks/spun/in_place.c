/* Two words that are spun on where they are needed, without a function: one after the other, in both orders. */
#include <pthread.h>
#include <sched.h>

static int table_word, journal_word;
static long rows, entries;

static void insert_row(void)
{
	while (__sync_lock_test_and_set(&table_word, 1))
		sched_yield();
	rows++;
	while (__sync_lock_test_and_set(&journal_word, 1)) /* DEADLOCK */
		;
	entries++;
	__sync_lock_release(&journal_word);
	__sync_lock_release(&table_word);
}

static void roll_journal(void)
{
	for (;;) {
		if (__sync_bool_compare_and_swap(&journal_word, 0, 1))
			break;
		sched_yield();
	}
	entries = 0;
	while (__sync_lock_test_and_set(&table_word, 1)) /* DEADLOCK */
		sched_yield();
	rows = 0;
	__sync_lock_release(&table_word);
	__sync_lock_release(&journal_word);
}

static void *inserter(void *argument)
{
	for (int i = 0; i < 100; i++)
		insert_row();
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, inserter, 0);
	for (int i = 0; i < 100; i++)
		roll_journal();
	pthread_join(thread, 0);
	return 0;
}
