// racerx-verdict: shown
/* Goblint, example 8, with a user who takes the list's lock for the node's. */
#include <linux/list.h>
#include <linux/mutex.h>

struct node { int data; struct mutex mtx; struct list_head list; };
static DEFINE_MUTEX(list_lock);
static struct list_head ndlist;

static struct node *first(void)
{
	struct node *np;
	mutex_lock(&list_lock);
	np = container_of(ndlist.next, struct node, list);
	mutex_unlock(&list_lock);
	return np;
}

void update(int value)
{
	struct node *np = first();
	mutex_lock(&list_lock);
	np->data = value; /* RACE */
	mutex_unlock(&list_lock);
}

void increase(struct node *np) { mutex_lock(&np->mtx); np->data++; mutex_unlock(&np->mtx); }
void decrease(struct node *np) { mutex_lock(&np->mtx); np->data--; mutex_unlock(&np->mtx); }
void negate(struct node *np) { mutex_lock(&np->mtx); np->data = -np->data; mutex_unlock(&np->mtx); }
void clear(struct node *np) { mutex_lock(&np->mtx); np->data = 0; mutex_unlock(&np->mtx); }
void set(struct node *np, int v) { mutex_lock(&np->mtx); np->data = v; mutex_unlock(&np->mtx); }
int get(struct node *np) { int v; mutex_lock(&np->mtx); v = np->data; mutex_unlock(&np->mtx); return v; }
int positive(struct node *np) { int v; mutex_lock(&np->mtx); v = np->data > 0; mutex_unlock(&np->mtx); return v; }
int is(struct node *np, int w) { int v; mutex_lock(&np->mtx); v = np->data == w; mutex_unlock(&np->mtx); return v; }
void twice(struct node *np) { mutex_lock(&np->mtx); np->data *= 2; mutex_unlock(&np->mtx); }
