#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int use_threads;
static pthread_mutex_t sym_lock = PTHREAD_MUTEX_INITIALIZER;

#define SYM_LOCK()   do { if (use_threads) pthread_mutex_lock(&sym_lock); } while (0)
#define SYM_UNLOCK() do { if (use_threads) pthread_mutex_unlock(&sym_lock); } while (0)

struct sym {
	struct sym *next;
	unsigned long hash;
};

static struct sym *symtab;
static int nsyms;

static void intern(unsigned long h)
{
	struct sym *s;

	SYM_LOCK();
	for (s = symtab; s; s = s->next) // NORACE
		if (s->hash == h)
			goto out;
	s = malloc(sizeof *s);
	s->hash = h;
	s->next = symtab;
	symtab = s; // NORACE
	nsyms++; // NORACE
out:
	SYM_UNLOCK();
}

static void *compile_unit(void *arg)
{
	unsigned long i, base = (unsigned long)arg;
	for (i = 0; i < 100; i++)
		intern((base + i) % 73);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	int i;

	(void)argv;
	for (i = 0; i < 10; i++)
		intern(i);			/* built-in symbols, alone */
	if (argc > 5)
		return 0;
	use_threads = 1;
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, compile_unit, (void *)(long)(i * 11));
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", nsyms);
	return 0;
}
