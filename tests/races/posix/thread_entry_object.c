// A thread begins in a helper that calls what the object says which it was given: each object is a thread of its own.
// What the one thread sets up before it starts the others does not race with them, what it does afterwards does.
#include <pthread.h>

struct entry {
	void (*run)(void);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slots, units, left;

static void *entry_begin(void *real)
{
	struct entry *entry = real;

	entry->run();
	return NULL;
}

static pthread_t start(struct entry *entry)
{
	pthread_t thread;

	pthread_create(&thread, NULL, entry_begin, entry);
	return thread;
}

static void source_run(void)
{
	pthread_mutex_lock(&lock);
	slots--;
	left++;
	pthread_mutex_unlock(&lock);
}

static void sink_run(void)
{
	pthread_mutex_lock(&lock);
	slots++;
	units++;
	pthread_mutex_unlock(&lock);
}

static struct entry source = { source_run };
static struct entry sink = { sink_run };

static void primary_run(void)
{
	slots = 4; // NORACE
	units = 1; // NORACE
	left = 9; // NORACE
	start(&sink);
	start(&source);
	left = 0; // RACE!
}

static struct entry primary = { primary_run };

int main(void)
{
	pthread_join(start(&primary), NULL);
	return 0;
}
