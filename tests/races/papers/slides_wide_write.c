// racerx-verdict: shown
/* A write of more than 32 bits is two stores; a reader in between sees a value that never was. */
#include <linux/spinlock.h>
#include <linux/types.h>

struct disk { spinlock_t lock; u64 sectors; u64 reads; };

void disk_add(struct disk *disk, u64 n) { spin_lock(&disk->lock); disk->sectors += n; spin_unlock(&disk->lock); }
void disk_remove(struct disk *disk, u64 n) { spin_lock(&disk->lock); disk->sectors -= n; spin_unlock(&disk->lock); }
void disk_clear(struct disk *disk) { spin_lock(&disk->lock); disk->sectors = 0; spin_unlock(&disk->lock); }
void disk_half(struct disk *disk) { spin_lock(&disk->lock); disk->sectors /= 2; spin_unlock(&disk->lock); }
void disk_twice(struct disk *disk) { spin_lock(&disk->lock); disk->sectors *= 2; spin_unlock(&disk->lock); }
void disk_read(struct disk *disk) { spin_lock(&disk->lock); disk->reads++; /* NORACE */ spin_unlock(&disk->lock); }
u64 disk_size(struct disk *disk) { u64 n; spin_lock(&disk->lock); n = disk->sectors; spin_unlock(&disk->lock); return n; }
int disk_empty(struct disk *disk) { int e; spin_lock(&disk->lock); e = !disk->sectors; spin_unlock(&disk->lock); return e; }
int disk_large(struct disk *disk) { int l; spin_lock(&disk->lock); l = disk->sectors >> 32; spin_unlock(&disk->lock); return l; }

int disk_revalidate(struct disk *disk, u64 sectors)
{
	disk->sectors = sectors; /* RACE */
	spin_lock(&disk->lock);
	disk->reads = 0; /* NORACE */
	spin_unlock(&disk->lock);
	return 0;
}
