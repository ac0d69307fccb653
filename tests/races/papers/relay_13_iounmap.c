// racerx-verdict: shown
// racerx: --preset linux
/*
 * RELAY, Figure 13: iounmap reads p->size when it has already let go of vmlist_lock, and __remove_vm_area, under the
 * write lock, changes it. The other users of size keep to the lock.
 */
#include <linux/spinlock.h>

struct vm_struct { void *addr; unsigned long size; unsigned long phys_addr; struct vm_struct *next; };
static DEFINE_RWLOCK(vmlist_lock);
static struct vm_struct *vmlist;

void iounmap(volatile void *addr)
{
	struct vm_struct *p;
	read_lock(&vmlist_lock);
	for (p = vmlist; p; p = p->next) { /* NORACE */
		if (p->addr == addr)
			break;
	}
	read_unlock(&vmlist_lock);
	if (p)
		change_page_attr(p->phys_addr, p->size >> PAGE_SHIFT); /* RACE */
}

/* called with write_lock(&vmlist_lock) */
static struct vm_struct *__remove_vm_area(void *addr)
{
	struct vm_struct *t;
	for (t = vmlist; t != NULL; t = t->next) { /* NORACE */
		if (t->addr == addr)
			break;
	}
	if (t) {
		unmap_vm_area(t);
		t->size -= PAGE_SIZE;
	}
	return t;
}

struct vm_struct *remove_vm_area(void *addr)
{
	struct vm_struct *v;
	write_lock(&vmlist_lock);
	v = __remove_vm_area(addr);
	write_unlock(&vmlist_lock);
	return v;
}

void vm_grow(struct vm_struct *v) { write_lock(&vmlist_lock); v->size += PAGE_SIZE; write_unlock(&vmlist_lock); }
void vm_shrink(struct vm_struct *v) { write_lock(&vmlist_lock); v->size /= 2; write_unlock(&vmlist_lock); }
void vm_align(struct vm_struct *v) { write_lock(&vmlist_lock); v->size &= PAGE_MASK; write_unlock(&vmlist_lock); }
int vm_read(struct vm_struct *v, unsigned long n) { int ok; read_lock(&vmlist_lock); ok = n < v->size; read_unlock(&vmlist_lock); return ok; }
int vm_write(struct vm_struct *v, unsigned long n) { int ok; read_lock(&vmlist_lock); ok = n <= v->size; read_unlock(&vmlist_lock); return ok; }
int vm_large(struct vm_struct *v) { int is; read_lock(&vmlist_lock); is = v->size > PAGE_SIZE; read_unlock(&vmlist_lock); return is; }
int vm_empty(struct vm_struct *v) { int is; read_lock(&vmlist_lock); is = v->size == 0; read_unlock(&vmlist_lock); return is; }
unsigned long vm_pages(struct vm_struct *v) { unsigned long n; read_lock(&vmlist_lock); n = v->size >> PAGE_SHIFT; read_unlock(&vmlist_lock); return n; }
