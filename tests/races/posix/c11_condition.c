/* A C11 condition variable: one side leaves the mutex out. */
#include <threads.h>

static mtx_t mail_lock;
static cnd_t mail_came;
static int letters, parcels;

static int reader(void *argument)
{
	(void)argument;
	mtx_lock(&mail_lock);
	while (letters == 0)
		cnd_wait(&mail_came, &mail_lock);
	letters--;
	parcels = 0; /* NORACE */
	mtx_unlock(&mail_lock);
	return 0;
}

static int postman(void *argument)
{
	(void)argument;
	letters++; /* RACE */
	mtx_lock(&mail_lock);
	parcels++; /* NORACE */
	mtx_unlock(&mail_lock);
	cnd_signal(&mail_came);
	return 0;
}

int main(void)
{
	thrd_t a, b;
	mtx_init(&mail_lock, mtx_plain);
	cnd_init(&mail_came);
	thrd_create(&a, reader, NULL);
	thrd_create(&b, postman, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return 0;
}
