// racerx-verdict: shown
/* list.c with the search under the lock, and a removal. */
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
	entry->key = key; /* NORACE */
	entry->value = value; /* NORACE */
	pthread_mutex_lock(&entries_lock);
	entry->next = entries; /* NORACE */
	entries = entry; /* NORACE */
	pthread_mutex_unlock(&entries_lock);
}

static int entry_find(int key)
{
	struct entry *entry;
	int value = -1;
	pthread_mutex_lock(&entries_lock);
	for (entry = entries; entry; entry = entry->next) /* NORACE */
		if (entry->key == key) /* NORACE */
			value = entry->value; /* NORACE */
	pthread_mutex_unlock(&entries_lock);
	return value;
}

static void entry_remove(void)
{
	struct entry *entry;
	pthread_mutex_lock(&entries_lock);
	entry = entries; /* NORACE */
	if (entry)
		entries = entry->next; /* NORACE */
	pthread_mutex_unlock(&entries_lock);
	free(entry);
}

static void *worker(void *argument)
{
	for (int i = 0; i < 10; i++)
		entry_add(i, i * i);
	entry_remove();
	return entry_find(4) > 0 ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
