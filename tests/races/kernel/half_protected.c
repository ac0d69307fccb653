// racerx-verdict: shown
/* Read as often with the lock as without it, and only written under it by one: too weak to be shown. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct fan { spinlock_t lock; int speed; int level; };

void fan_level(struct fan *f, int n) { spin_lock(&f->lock); f->level = n; f->speed = n * 10; /* NORACE */ spin_unlock(&f->lock); }
int fan_fast(struct fan *f) { return f->speed > 50; /* NORACE */ }
int fan_slow(struct fan *f) { return f->speed < 20; /* NORACE */ }
int fan_off(struct fan *f) { return !f->speed; /* NORACE */ }
int fan_speed(struct fan *f) { int s; spin_lock(&f->lock); s = f->speed + f->level; /* NORACE */ spin_unlock(&f->lock); return s; }
