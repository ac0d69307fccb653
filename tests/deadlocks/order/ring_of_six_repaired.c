/* Six floors of a tower; only one at a time may go up from the third or down from the roof, so the ring never closes. */
#include <threads.h>

static mtx_t floors_a, floors_b, floors_c, floors_d, floors_e, floors_f, stairs;
static int people[6];


static int up_a(void *none) { mtx_lock(&floors_a); mtx_lock(&floors_b); people[0]--; mtx_unlock(&floors_b); mtx_unlock(&floors_a); return none != 0; } /* NODEADLOCK */
static int up_b(void *none) { mtx_lock(&floors_b); mtx_lock(&floors_c); people[1]--; mtx_unlock(&floors_c); mtx_unlock(&floors_b); return none != 0; } /* NODEADLOCK */
static int up_c(void *none) { mtx_lock(&stairs); mtx_lock(&floors_c); mtx_lock(&floors_d); people[2]--; mtx_unlock(&floors_d); mtx_unlock(&floors_c); mtx_unlock(&stairs); return none != 0; } /* NODEADLOCK */
static int up_d(void *none) { mtx_lock(&floors_d); mtx_lock(&floors_e); people[3]--; mtx_unlock(&floors_e); mtx_unlock(&floors_d); return none != 0; } /* NODEADLOCK */
static int up_e(void *none) { mtx_lock(&floors_e); mtx_lock(&floors_f); people[4]--; mtx_unlock(&floors_f); mtx_unlock(&floors_e); return none != 0; } /* NODEADLOCK */
static int down(void *none) { mtx_lock(&stairs); mtx_lock(&floors_f); mtx_lock(&floors_a); people[5]--; mtx_unlock(&floors_a); mtx_unlock(&floors_f); mtx_unlock(&stairs); return none != 0; } /* NODEADLOCK */

int main(void)
{
	thrd_t all[6];
	thrd_create(&all[0], up_a, 0);
	thrd_create(&all[1], up_b, 0);
	thrd_create(&all[2], up_c, 0);
	thrd_create(&all[3], up_d, 0);
	thrd_create(&all[4], up_e, 0);
	thrd_create(&all[5], down, 0);
	for (int i = 0; i < 6; i++)
		thrd_join(all[i], 0);
	return people[0];
}
