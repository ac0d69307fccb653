/* All meet at the barrier: what the leader wrote before it, the others read behind it. */
#include <pthread.h>

static pthread_barrier_t meeting;
static int plan, early_plan;

static void *leader(void *argument)
{
	plan = 4; /* NORACE */
	pthread_barrier_wait(&meeting);
	early_plan = 5; /* RACE@a */
	return argument;
}

static void *member(void *argument)
{
	int work;
	pthread_barrier_wait(&meeting);
	work = plan; /* NORACE */
	work += early_plan; /* RACE@a */
	return work ? argument : NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_barrier_init(&meeting, NULL, 2);
	pthread_create(&a, NULL, leader, NULL);
	pthread_create(&b, NULL, member, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
