#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Per-thread profile buffers, registered in a global list. */
struct prof {
	struct prof	*link;
	pthread_mutex_t	 mx;
	unsigned	 n;
	unsigned	 ev[256];
};

static __thread struct prof *self;
static struct prof	*all;
static pthread_mutex_t	 all_mx = PTHREAD_MUTEX_INITIALIZER;

static struct prof *prof_self(void)
{
	if (self == NULL) {
		struct prof *p = calloc(1, sizeof(*p));
		pthread_mutex_init(&p->mx, NULL);
		pthread_mutex_lock(&all_mx);
		p->link = all;
		all = p;
		pthread_mutex_unlock(&all_mx);
		self = p;
	}
	return self;
}

static void prof_event(unsigned id)
{
	struct prof *p = prof_self();

	if (p->n < 256) // RACE!
		p->ev[p->n++] = id; // RACE!
}

static unsigned prof_collect(void)
{
	unsigned total = 0;

	pthread_mutex_lock(&all_mx);
	for (struct prof *p = all; p; p = p->link) {
		pthread_mutex_lock(&p->mx);
		for (unsigned i = 0; i < p->n; i++)
			total += p->ev[i];
		p->n = 0;
		pthread_mutex_unlock(&p->mx);
	}
	pthread_mutex_unlock(&all_mx);
	return total;
}

static void *busy(void *arg)
{
	for (unsigned i = 0; i < 400; i++) {
		prof_event(i);
		if (i % 64 == 0)
			usleep(200);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	unsigned sum = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, busy, NULL);
	for (int i = 0; i < 10; i++) {
		usleep(150);
		sum += prof_collect();
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%u\n", sum + prof_collect());
	return 0;
}
