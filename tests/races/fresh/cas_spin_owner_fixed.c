#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { _Atomic(uint32_t) owner; } id_lock;

static void id_lock_take(id_lock *l, uint32_t me)
{
	uint32_t none;
	do {
		none = 0;
	} while (!atomic_compare_exchange_weak_explicit(&l->owner, &none, me,
	                                                 memory_order_acquire, memory_order_relaxed));
}

static void id_lock_give(id_lock *l)
{
	atomic_store_explicit(&l->owner, 0, memory_order_release);
}

static id_lock gate;
static long ledger[2];

static void post(uint32_t me, int side, long amount)
{
	id_lock_take(&gate, me);
	ledger[side] += amount; // NORACE
	ledger[!side] -= amount; // NORACE
	id_lock_give(&gate);
}

static void *clerk(void *arg)
{
	uint32_t me = (uint32_t)(uintptr_t)arg;
	for (int i = 0; i < 500; i++)
		post(me, i & 1, i);
	return NULL;
}

int main(void)
{
	pthread_t c[3];
	for (uintptr_t i = 0; i < 3; i++)
		pthread_create(&c[i], NULL, clerk, (void *)(i + 1));
	for (int i = 0; i < 3; i++)
		pthread_join(c[i], NULL);
	printf("%ld %ld\n", ledger[0], ledger[1]);
	return 0;
}
