#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct words { int count; char last[16]; };

static pthread_key_t key;
static struct words *latest;

static struct words *own_words(void)
{
	struct words *w = pthread_getspecific(key);
	if (!w) {
		w = calloc(1, sizeof *w);
		pthread_setspecific(key, w);
		latest = w; // RACE!
	}
	return w;
}

static void *talk(void *name)
{
	for (int i = 0; i < 5; i++) {
		struct words *w = own_words();
		w->count++; // TODO NORACE: a copy of the pointer that nobody follows is taken for a way to the object
		snprintf(w->last, sizeof w->last, "%s%d", (char *)name, i); // TODO NORACE: a copy of the pointer that nobody follows is taken for a way to the object
	}
	printf("%d\n", own_words()->count);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_key_create(&key, free);
	pthread_create(&a, NULL, talk, "anna");
	pthread_create(&b, NULL, talk, "bert");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return latest == NULL;
}
