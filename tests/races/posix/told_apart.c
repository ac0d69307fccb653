/* Two threads run one function, each with something of its own, and meet in what that calls. */
#include <pthread.h>

static int slots[64], used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int look(int key)
{
	return slots[key & 63]; /* RACE */
}

static int enter(int key)
{
	int found = look(key);
	if (found)
		return found;
	pthread_mutex_lock(&lock);
	slots[key & 63] = key;
	used++; /* NORACE */
	pthread_mutex_unlock(&lock);
	return key;
}

static void *run(void *argument)
{
	int i, sum = 0;
	for (i = 0; i < 100; i++)
		sum += enter(i * *(int *)argument);
	return sum ? argument : 0;
}

int main(void)
{
	pthread_t a, b;
	int three = 3, seven = 7;
	pthread_create(&a, 0, run, &three);
	pthread_create(&b, 0, run, &seven);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return used;
}
