/* A reader comes again: a writer that came in between waits for him, and he for the writer. Without a writer nobody does. */
#include <linux/rwsem.h>

struct map { struct rw_semaphore lock; int size; int entries[8]; };
struct book { struct rw_semaphore lock; int pages; };

static int map_size(struct map *map)
{
	int size;
	down_read(&map->lock); /* DOUBLE-LOCK */
	size = map->size;
	up_read(&map->lock);
	return size;
}

int map_sum(struct map *map)
{
	int sum = 0, i;
	down_read(&map->lock);
	for (i = 0; i < map_size(map); i++)
		sum += map->entries[i];
	up_read(&map->lock);
	return sum;
}

int map_peek(struct map *map)
{
	int sum = -1;
	down_read(&map->lock);
	if (down_read_trylock(&map->lock)) { /* NODOUBLE-LOCK */
		sum = map->entries[0];
		up_read(&map->lock);
	}
	up_read(&map->lock);
	return sum;
}

void map_add(struct map *map, int entry)
{
	down_write(&map->lock);
	map->entries[map->size++ & 7] = entry;
	up_write(&map->lock);
}

static int book_pages(struct book *book)
{
	int pages;
	down_read(&book->lock); /* NODOUBLE-LOCK */
	pages = book->pages;
	up_read(&book->lock);
	return pages;
}

int book_read(struct book *book)
{
	int pages;
	down_read(&book->lock);
	pages = book_pages(book);
	up_read(&book->lock);
	return pages;
}
