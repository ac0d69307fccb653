/* C11 atomics: by type, and by the functions of stdatomic.h. */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int requests;
static atomic_uint errors;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int plain_requests;

static void *server(void *argument)
{
	requests++; /* NORACE */
	atomic_fetch_add(&errors, 1); /* NORACE */
	while (atomic_flag_test_and_set(&busy)) /* NORACE */
		;
	atomic_flag_clear(&busy); /* NORACE */
	plain_requests++; /* RACE */
	return argument;
}

int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, server, NULL);
	if (atomic_load(&errors) > 3) /* NORACE */
		requests = 0; /* NORACE */
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return plain_requests; /* NORACE */
}
