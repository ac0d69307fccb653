#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum kind { K_NONE, K_INT, K_STR };

struct variant {
	enum kind kind;
	union {
		long i;
		char s[16];
	} u;
};

static struct variant slot;
static pthread_mutex_t slot_lock = PTHREAD_MUTEX_INITIALIZER;

static void set_int(long v)
{
	pthread_mutex_lock(&slot_lock);
	slot.kind = K_INT;
	slot.u.i = v;
	pthread_mutex_unlock(&slot_lock);
}

static void set_str(const char *s)
{
	pthread_mutex_lock(&slot_lock);
	slot.kind = K_STR;
	strncpy(slot.u.s, s, sizeof slot.u.s - 1);
	pthread_mutex_unlock(&slot_lock);
}

static long as_int(void)
{
	long v = 0;
	if (slot.kind == K_INT) // RACE!
		v = slot.u.i; // RACE!
	return v;
}

static void *writer(void *a)
{
	int i;
	for (i = 0; i < 300; i++)
		if (i & 1)
			set_int(i);
		else
			set_str("even");
	return a;
}

static void *reader(void *a)
{
	long sum = 0;
	int i;
	for (i = 0; i < 300; i++)
		sum += as_int();
	printf("%ld\n", sum);
	return a;
}

int main(void)
{
	pthread_t w, r;
	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	return 0;
}
