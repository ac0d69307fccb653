/* Shelves with a lock each, one array beside the other in a library on the heap. Sorting looks into the books of the
   shelf before its own. */
#include <pthread.h>
#include <stdlib.h>

#define SHELVES 6
struct book { struct book *next; int read; };
struct library { struct book *shelves[SHELVES]; int counts[SHELVES]; pthread_mutex_t locks[SHELVES]; };

static void shelf_sort(struct library *library, int n)
{
	pthread_mutex_lock(&library->locks[n]);
	for (struct book *book = library->shelves[n - 1]; book; book = book->next)
		book->read++; /* RACE@read */
	library->counts[n]++; /* NORACE */
	pthread_mutex_unlock(&library->locks[n]);
}

static void shelf_dust(struct library *library, int n)
{
	pthread_mutex_lock(&library->locks[n]);
	for (struct book *book = library->shelves[n]; book; book = book->next)
		book->read = 0; /* RACE@read */
	library->counts[n]--; /* NORACE */
	pthread_mutex_unlock(&library->locks[n]);
}

static void *sorter(void *argument)
{
	for (int n = 1; n < SHELVES; n++)
		shelf_sort(argument, n);
	return NULL;
}

static void *duster(void *argument)
{
	for (int n = 0; n < SHELVES; n++)
		shelf_dust(argument, n);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	struct library *library = calloc(1, sizeof *library);
	for (int n = 0; n < SHELVES; n++) {
		pthread_mutex_init(&library->locks[n], NULL);
		library->shelves[n] = calloc(1, sizeof(struct book));
	}
	pthread_create(&a, NULL, sorter, library);
	pthread_create(&b, NULL, duster, library);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
