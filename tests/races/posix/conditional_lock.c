/* Locked when asked to, and unlocked under the same condition; the access asks too, or does not. */
#include <pthread.h>

static pthread_mutex_t book_lock = PTHREAD_MUTEX_INITIALIZER;
static int entries, corrections;

static void book(int shared)
{
	if (shared)
		pthread_mutex_lock(&book_lock);
	if (shared)
		entries++; /* NORACE */
	corrections++; /* RACE */
	if (shared)
		pthread_mutex_unlock(&book_lock);
}

static void *clerk(void *argument)
{
	book(1);
	return argument;
}

static void *boss(void *argument)
{
	book(0);
	return argument;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, NULL, clerk, NULL);
	pthread_create(&b, NULL, clerk, NULL);
	pthread_create(&c, NULL, boss, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
