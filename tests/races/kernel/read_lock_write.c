// racerx-verdict: shown
/* A write under the reader's half of the semaphore, where writers take the other. */
#include <linux/rwsem.h>
#include <linux/slab.h>

struct map { struct rw_semaphore sem; int regions; int faults; };

void map_add(struct map *m) { down_write(&m->sem); m->regions++; up_write(&m->sem); }
void map_cut(struct map *m) { down_write(&m->sem); m->regions--; up_write(&m->sem); }
void map_clear(struct map *m) { down_write(&m->sem); m->regions = 0; m->faults = 0; /* NORACE */ up_write(&m->sem); }
void map_double(struct map *m) { down_write(&m->sem); m->regions *= 2; up_write(&m->sem); }
int map_regions(struct map *m) { int n; down_read(&m->sem); n = m->regions + m->faults; up_read(&m->sem); return n; }
int map_full(struct map *m) { int n; down_read(&m->sem); n = m->regions > 64; up_read(&m->sem); return n; }
int map_empty(struct map *m) { int n; down_read(&m->sem); n = !m->regions; up_read(&m->sem); return n; }
int map_odd(struct map *m) { int n; down_read(&m->sem); n = m->regions & 1; up_read(&m->sem); return n; }

int map_merge(struct map *m)
{
	down_read(&m->sem);
	m->regions--; /* RACE */
	up_read(&m->sem);
	return 0;
}
