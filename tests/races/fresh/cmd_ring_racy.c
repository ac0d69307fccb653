#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum op { OP_ADD, OP_SUB, OP_QUIT };
struct cmd { enum op op; int n; };

static struct cmd ring[8];
static unsigned r_in, r_out;
static sem_t used, room;
static pthread_mutex_t in_lock = PTHREAD_MUTEX_INITIALIZER;

static void submit(enum op op, int n)
{
	sem_wait(&room);
	ring[r_in % 8].op = op; // RACE!
	ring[r_in % 8].n = n; // RACE!
	r_in++; // RACE!
	sem_post(&used);
}

static long acc;

static void *executor(void *u)
{
	struct cmd c;
	for (;;) {
		sem_wait(&used);
		c = ring[r_out++ % 8];
		sem_post(&room);
		if (c.op == OP_QUIT)
			return u;
		acc += c.op == OP_ADD ? c.n : -c.n;
	}
}

static void *client(void *u)
{
	int i;
	for (i = 0; i < 100; i++)
		submit(i & 1 ? OP_ADD : OP_SUB, i);
	return u;
}

int main(void)
{
	pthread_t e, c1, c2;
	sem_init(&used, 0, 0);
	sem_init(&room, 0, 8);
	pthread_create(&e, NULL, executor, NULL);
	pthread_create(&c1, NULL, client, NULL);
	pthread_create(&c2, NULL, client, NULL);
	pthread_join(c1, NULL);
	pthread_join(c2, NULL);
	submit(OP_QUIT, 0);
	pthread_join(e, NULL);
	printf("%ld\n", acc);
	return 0;
}
