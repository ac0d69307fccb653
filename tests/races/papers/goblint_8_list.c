/* Goblint, example 8: the list is under the list's lock, the data of each node under the node's own. */
#include <linux/list.h>
#include <linux/mutex.h>

struct node { int data; struct mutex mtx; struct list_head list; };
static DEFINE_MUTEX(list_lock);
static struct list_head ndlist;

struct node *find(int id)
{
	struct list_head *lp;
	struct node *np, *res = NULL;
	mutex_lock(&list_lock);
	lp = ndlist.next; /* NORACE */
	while (lp != &ndlist) {
		np = container_of(lp, struct node, list);
		mutex_lock(&np->mtx);
		if (np->data == id) /* NORACE */
			res = np;
		mutex_unlock(&np->mtx);
		lp = lp->next; /* NORACE */
	}
	mutex_unlock(&list_lock);
	return res;
}

void update(int id, int value)
{
	struct node *np = find(id);
	if (!np)
		return;
	mutex_lock(&np->mtx);
	np->data = value; /* NORACE */
	mutex_unlock(&np->mtx);
}

void increase(struct node *np) { mutex_lock(&np->mtx); np->data++; /* NORACE */ mutex_unlock(&np->mtx); }
void decrease(struct node *np) { mutex_lock(&np->mtx); np->data--; /* NORACE */ mutex_unlock(&np->mtx); }
void add(struct node *np) { mutex_lock(&list_lock); list_add(&np->list, &ndlist); mutex_unlock(&list_lock); }
