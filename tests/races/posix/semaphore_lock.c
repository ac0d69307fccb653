/* A semaphore that counts from 1 and is posted by who waited: a lock. */
#include <pthread.h>
#include <semaphore.h>

static sem_t printer;
static int pages, jobs;

static void print_page(void)
{
	sem_wait(&printer);
	pages++; /* NORACE */
	sem_post(&printer);
}

static void print_cover(void)
{
	sem_wait(&printer);
	pages += 2; /* NORACE */
	sem_post(&printer);
}

static void eject(void)
{
	sem_wait(&printer);
	pages = 0; /* NORACE */
	sem_post(&printer);
}

static void *office(void *argument)
{
	print_page();
	print_cover();
	jobs++; /* RACE */
	eject();
	return argument;
}

int main(void)
{
	pthread_t threads[3];
	sem_init(&printer, 0, 1);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, office, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return pages; /* NORACE */
}
