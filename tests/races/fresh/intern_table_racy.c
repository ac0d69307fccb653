#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 128
static const char *atoms[SLOTS];
static unsigned natoms;

static pthread_rwlock_t atoms_rw = PTHREAD_RWLOCK_INITIALIZER;

static const char *lookup(const char *s, unsigned *at)
{
	unsigned h = 0, i;
	for (i = 0; s[i]; i++)
		h = h * 131 + (unsigned char)s[i];
	for (i = 0; i < SLOTS; i++) {
		*at = (h + i) % SLOTS;
		if (!atoms[*at]) // RACE!
			return NULL;
		if (!strcmp(atoms[*at], s))
			return atoms[*at];
	}
	return NULL;
}

const char *atom(const char *s)
{
	unsigned at;
	const char *a;

	a = lookup(s, &at);
	if (a)
		return a;

	pthread_rwlock_wrlock(&atoms_rw);
	a = lookup(s, &at);
	if (!a && natoms < SLOTS - 1) {
		a = strdup(s);
		atoms[at] = a;
		natoms++;
	}
	pthread_rwlock_unlock(&atoms_rw);
	return a;
}

static void *tokenizer(void *arg)
{
	char word[8];
	int i, nulls = 0;

	for (i = 0; i < 300; i++) {
		snprintf(word, sizeof word, "w%d", (i * *(int *)arg) % 60);
		if (!atom(word))
			nulls++;
	}
	printf("%d\n", nulls);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int three = 3, seven = 7;
	pthread_create(&a, NULL, tokenizer, &three);
	pthread_create(&b, NULL, tokenizer, &seven);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
