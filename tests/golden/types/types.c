#include "types.h"
int path(struct a *a, int i)
{
	return a->b.c[i]->d;
}
void named(list_t *list)
{
	struct item *item = container_of(list, struct item, links);
	item->flag = 1;
	item->x++;
	table.ops[2].run(item);
	counter++;
	shared |= 2;
}
