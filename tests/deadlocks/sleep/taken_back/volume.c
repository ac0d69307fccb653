/* A header takes a name back that nobody defines: what is asked for by it is for whoever changes that line. */
#include <linux/delay.h>
#include "volume.h"

int volume_count(struct volume *volume)
{
	int blocks;
	spin_lock(&volume->lock);
#ifdef VOLUME_CHECKS
	msleep(volume_blocks_on_disk(volume)); /* NOSLEEP */
#endif
	blocks = volume->blocks;
	volume_note("counted");
	spin_unlock(&volume->lock);
	return blocks;
}
