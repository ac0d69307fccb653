// racerx-verdict: shown
/* Both results of spin_trylock. */
#include <linux/slab.h>
#include <linux/spinlock.h>

struct engine { spinlock_t lock; int speed; int skipped; };

void engine_poll(struct engine *e)
{
	if (spin_trylock(&e->lock)) {
		e->skipped--; /* NORACE */
		spin_unlock(&e->lock);
	} else {
		e->speed = 0; /* RACE */
	}
}

int engine_try(struct engine *e)
{
	if (!spin_trylock(&e->lock))
		return -EBUSY;
	e->skipped++; /* NORACE */
	e->speed++;
	spin_unlock(&e->lock);
	return 0;
}

void engine_up(struct engine *e) { spin_lock(&e->lock); e->speed += 10; spin_unlock(&e->lock); }
void engine_down(struct engine *e) { spin_lock(&e->lock); e->speed -= 10; spin_unlock(&e->lock); }
void engine_stop(struct engine *e) { spin_lock(&e->lock); e->speed = 0; spin_unlock(&e->lock); }
int engine_speed(struct engine *e) { int s; spin_lock(&e->lock); s = e->speed; spin_unlock(&e->lock); return s; }
int engine_fast(struct engine *e) { int s; spin_lock(&e->lock); s = e->speed > 99; spin_unlock(&e->lock); return s; }
int engine_idle(struct engine *e) { int s; spin_lock(&e->lock); s = !e->speed; spin_unlock(&e->lock); return s; }
void engine_set(struct engine *e, int s) { spin_lock(&e->lock); e->speed = s; spin_unlock(&e->lock); }
