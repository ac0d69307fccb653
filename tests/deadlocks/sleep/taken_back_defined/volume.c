/* The header takes the name back in order to define it: it is on. */
#include <linux/delay.h>
#include "volume.h"

int volume_count(struct volume *volume)
{
	int blocks;
	spin_lock(&volume->lock); /* SLEEP */
#ifdef VOLUME_CHECKS
	msleep(volume_blocks_on_disk(volume)); /* SLEEP */
#endif
	blocks = volume->blocks;
	volume_note("counted");
	spin_unlock(&volume->lock);
	return blocks;
}
