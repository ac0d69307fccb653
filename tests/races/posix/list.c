/* A list under one lock: insertion, search, removal; the search forgets it. */
#include <pthread.h>
#include <stdlib.h>

struct entry { struct entry *next; int key; int value; };
static pthread_mutex_t entries_lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;

static void entry_add(int key, int value)
{
	struct entry *entry = malloc(sizeof *entry);
	if (!entry)
		return;
	entry->key = key;
	entry->value = value;
	pthread_mutex_lock(&entries_lock);
	entry->next = entries;
	entries = entry;
	pthread_mutex_unlock(&entries_lock);
}

static int entry_find(int key)
{
	struct entry *entry;
	for (entry = entries; entry; entry = entry->next) /* RACE */
		if (entry->key == key)
			return entry->value;
	return -1;
}

static void *adder(void *argument)
{
	for (int i = 0; i < 10; i++)
		entry_add(i, i * i);
	return argument;
}

static void *finder(void *argument)
{
	return entry_find(4) > 0 ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, adder, NULL);
	pthread_create(&b, NULL, finder, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
