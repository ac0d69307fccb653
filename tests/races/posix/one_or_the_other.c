// Two ways to work: main starts the reader itself, or has a manager start it. The manager is no longer, or not yet,
// there when main starts the reader: what it sets up before it starts its own reader is its own.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t reader_thread, manager_thread;
static int slots;

static void *reader(void *unused)
{
	pthread_mutex_lock(&lock);
	slots--;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void begin(void) { pthread_create(&reader_thread, NULL, reader, NULL); }
static void end(void) { pthread_join(reader_thread, NULL); }

static void *manager(void *unused)
{
	slots = 4; // NORACE
	begin();
	end();
	return unused;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 2) {
		slots = 2; // NORACE
		begin();
		end();
	}
	pthread_create(&manager_thread, NULL, manager, NULL);
	pthread_join(manager_thread, NULL);
	return 0;
}
