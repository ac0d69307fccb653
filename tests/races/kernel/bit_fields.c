/* Bit-fields of one word under two locks: each write puts the other's old value back. */
#include <linux/mutex.h>
#include <linux/slab.h>

struct phone { struct mutex ring_mutex, mute_mutex; unsigned int ringing : 1, muted : 1; int volume; int calls; };

void phone_ring(struct phone *p)
{
	mutex_lock(&p->ring_mutex);
	p->ringing = 1; /* RACE */
	p->calls++; /* NORACE */
	mutex_unlock(&p->ring_mutex);
}

void phone_hang_up(struct phone *p)
{
	mutex_lock(&p->ring_mutex);
	p->calls--; /* NORACE */
	mutex_unlock(&p->ring_mutex);
}

void phone_mute(struct phone *p)
{
	mutex_lock(&p->mute_mutex);
	p->muted = 1; /* RACE */
	p->volume = 0; /* NORACE */
	mutex_unlock(&p->mute_mutex);
}
