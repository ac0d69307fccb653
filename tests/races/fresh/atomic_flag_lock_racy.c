#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct { atomic_flag f; } micro_lock;
#define MICRO_LOCK_INIT { ATOMIC_FLAG_INIT }

static inline void micro_lock_acquire(micro_lock *l)
{
	while (atomic_flag_test_and_set_explicit(&l->f, memory_order_acquire))
		;
}

static inline void micro_lock_drop(micro_lock *l)
{
	atomic_flag_clear_explicit(&l->f, memory_order_release);
}

static micro_lock name_lock = MICRO_LOCK_INIT;
static char current_name[32] = "nobody";
static unsigned renames;

void set_name(const char *s)
{
	micro_lock_acquire(&name_lock);
	strncpy(current_name, s, sizeof current_name - 1);
	renames++;
	micro_lock_drop(&name_lock);
}

unsigned get_name(char *out, size_t n)
{
	unsigned gen;

	micro_lock_acquire(&name_lock);
	strncpy(out, current_name, n - 1);
	out[n - 1] = 0;
	micro_lock_drop(&name_lock);
	gen = renames; // RACE!
	return gen;
}

static void *renamer(void *arg)
{
	for (int i = 0; i < 100; i++)
		set_name(arg);
	return NULL;
}

static void *greeter(void *arg)
{
	char who[32];
	for (int i = 0; i < 100; i++)
		if (get_name(who, sizeof who) > 1000)
			puts(who);
	return arg;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, renamer, "ann");
	pthread_create(&b, NULL, renamer, "bert");
	pthread_create(&c, NULL, greeter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
