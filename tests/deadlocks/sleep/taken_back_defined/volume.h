#ifndef VOLUME_H
#define VOLUME_H
#include <linux/spinlock.h>

/*
 * Define VOLUME_CHECKS to count blocks on the disk, too.
 */
#undef VOLUME_CHECKS
#define VOLUME_CHECKS 1

struct volume {
	spinlock_t lock;
	int blocks;
};
int volume_blocks_on_disk(struct volume *volume);

#ifdef VOLUME_CHECKS
#define volume_note(text) pr_info(text)
#else
#define volume_note(text) do { } while (0)
#endif
#endif
