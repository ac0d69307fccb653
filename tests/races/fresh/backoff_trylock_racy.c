#include <pthread.h>
#include <sched.h>
#include <stdio.h>

struct plate { pthread_mutex_t m; int food; int eaten; };

static struct plate left = { PTHREAD_MUTEX_INITIALIZER, 300, 0 };
static struct plate right = { PTHREAD_MUTEX_INITIALIZER, 300, 0 };

static void lock_both(struct plate *a, struct plate *b)
{
	for (;;) {
		pthread_mutex_lock(&a->m);
		if (pthread_mutex_trylock(&b->m) == 0)
			return;
		pthread_mutex_unlock(&a->m);
		sched_yield();
	}
}

static void unlock_both(struct plate *a, struct plate *b)
{
	pthread_mutex_unlock(&b->m);
	pthread_mutex_unlock(&a->m);
}

static void swap_food(struct plate *from, struct plate *to)
{
	lock_both(from, to);
	if (from->food > 0) {
		from->food--;
		to->food++;
	}
	unlock_both(from, to);
}

static void eat(struct plate *p)
{
	if (p->food > 0) { // RACE!
		p->food--;
		p->eaten++;
	}
}

static void *child_one(void *x)
{
	int i;
	for (i = 0; i < 200; i++) {
		swap_food(&left, &right);
		eat(&right);
	}
	return x;
}

static void *child_two(void *x)
{
	int i;
	for (i = 0; i < 200; i++) {
		swap_food(&right, &left);
		eat(&left);
	}
	return x;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, child_one, NULL);
	pthread_create(&b, NULL, child_two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d %d\n", left.eaten, right.eaten);
	return 0;
}
