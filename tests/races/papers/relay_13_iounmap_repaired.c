// racerx: --preset linux
/* RELAY, Figure 13, as it was repaired: the area is used before the lock is let go. */
#include <linux/spinlock.h>

struct vm_struct { void *addr; unsigned long size; unsigned long phys_addr; struct vm_struct *next; };
static DEFINE_RWLOCK(vmlist_lock);
static struct vm_struct *vmlist;

static struct vm_struct *__remove_vm_area(void *addr)
{
	struct vm_struct *t;
	for (t = vmlist; t != NULL; t = t->next) { /* NORACE */
		if (t->addr == addr) /* NORACE */
			break;
	}
	if (t) {
		unmap_vm_area(t);
		t->size -= PAGE_SIZE; /* NORACE */
	}
	return t;
}

void iounmap(void *addr)
{
	struct vm_struct *p;
	write_lock(&vmlist_lock);
	p = __remove_vm_area(addr);
	if (p)
		change_page_attr(p->phys_addr, p->size >> PAGE_SHIFT); /* NORACE */
	write_unlock(&vmlist_lock);
}

void vm_grow(struct vm_struct *v) { write_lock(&vmlist_lock); v->size += PAGE_SIZE; /* NORACE */ write_unlock(&vmlist_lock); }
int vm_read(struct vm_struct *v, unsigned long n) { int ok; read_lock(&vmlist_lock); ok = n < v->size; /* NORACE */ read_unlock(&vmlist_lock); return ok; }
