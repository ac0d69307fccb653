/* bit_fields.c with one lock for the word. */
#include <linux/mutex.h>
#include <linux/slab.h>

struct phone { struct mutex mutex; unsigned int ringing : 1, muted : 1; int volume; };

void phone_ring(struct phone *p) { mutex_lock(&p->mutex); p->ringing = 1; /* NORACE */ mutex_unlock(&p->mutex); }
void phone_answer(struct phone *p) { mutex_lock(&p->mutex); p->ringing = 0; /* NORACE */ mutex_unlock(&p->mutex); }
void phone_mute(struct phone *p) { mutex_lock(&p->mutex); p->muted = 1; p->volume = 0; /* NORACE */ mutex_unlock(&p->mutex); }
int phone_quiet(struct phone *p) { int q; mutex_lock(&p->mutex); q = p->muted || !p->ringing; /* NORACE */ mutex_unlock(&p->mutex); return q; }
