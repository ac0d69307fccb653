/* A round of work: a thread is started three calls down and nobody waits for it. */
#include <threads.h>

static thrd_t crew;
static int done;

static int work(void *argument)
{
	done++; /* RACE */
	return argument != NULL;
}

static void hire(void) { thrd_create(&crew, work, NULL); }
static void open_shop(void) { hire(); }
static void open_day(void) { open_shop(); }
static void wait_for(void) { thrd_yield(); }
static void close_shop(void) { wait_for(); }
static void close_day(void) { close_shop(); }

int main(void)
{
	for (int day = 0; day < 7; day++) {
		open_day();
		close_day();
		done += 10; /* RACE */
	}
	return done;
}
