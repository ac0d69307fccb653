#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct book { struct book *next; char title[24]; int lent; };

static struct book *shelf;
static pthread_mutex_t shelf_lock = PTHREAD_MUTEX_INITIALIZER;

static struct book *find(const char *title)
{
	struct book *b;
	for (b = shelf; b; b = b->next)
		if (!strcmp(b->title, title))
			break;
	return b;
}

static void put(const char *title)
{
	struct book *b = calloc(1, sizeof *b);
	strncpy(b->title, title, 23);
	pthread_mutex_lock(&shelf_lock);
	b->next = shelf;
	shelf = b; // NORACE
	pthread_mutex_unlock(&shelf_lock);
}

static void *reader(void *title)
{
	struct book *b;
	pthread_mutex_lock(&shelf_lock);
	b = find(title);
	if (b)
		b->lent++; // NORACE
	pthread_mutex_unlock(&shelf_lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	put("Emma");
	put("Persuasion");
	pthread_create(&a, NULL, reader, "Emma");
	pthread_create(&b, NULL, reader, "Emma");
	put("Sanditon");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
