#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* robots on a grid: a move needs the lock of both cells */
#define W 4
#define MAX_TRIES 50

struct cell {
	pthread_mutex_t mtx;
	int robots;
};

static struct cell grid[W];

static void lock_two(struct cell *a, struct cell *b)
{
	int tries = 0;

	for (;;) {
		pthread_mutex_lock(&a->mtx);
		if (pthread_mutex_trylock(&b->mtx) == 0)
			return;
		if (++tries > MAX_TRIES) {
			/* enough politeness */
			pthread_mutex_lock(&b->mtx); // DEADLOCK!
			return;
		}
		pthread_mutex_unlock(&a->mtx);
		sched_yield();
	}
}

static void unlock_two(struct cell *a, struct cell *b)
{
	pthread_mutex_unlock(&b->mtx);
	pthread_mutex_unlock(&a->mtx);
}

static void move(int from, int to)
{
	lock_two(&grid[from], &grid[to]);
	if (grid[from].robots) {
		grid[from].robots--;
		grid[to].robots++;
	}
	unlock_two(&grid[from], &grid[to]);
}

static void *eastbound(void *a)
{
	for (int i = 0; i < 200; i++)
		move(i % W, (i + 1) % W);
	return a;
}

static void *westbound(void *a)
{
	for (int i = 200; i > 0; i--)
		move(i % W, (i + W - 1) % W);
	return a;
}

int main(void)
{
	alarm(5);
	pthread_t e, w;
	int sum = 0;

	for (int i = 0; i < W; i++) {
		pthread_mutex_init(&grid[i].mtx, NULL);
		grid[i].robots = 3;
	}
	pthread_create(&e, NULL, eastbound, NULL);
	pthread_create(&w, NULL, westbound, NULL);
	pthread_join(e, NULL);
	pthread_join(w, NULL);
	for (int i = 0; i < W; i++)
		sum += grid[i].robots;
	printf("%d robots\n", sum);
	return 0;
}
