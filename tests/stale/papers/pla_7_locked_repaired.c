/* PLA, Figure 7, repaired: the flags are set before others can find it. */
#include <linux/spinlock.h>
#include <linux/slab.h>

struct mm_struct { int num_users; unsigned flags; };
struct mm_slot { struct mm_struct *mm; };
static struct mm_slot mm_head;
static DEFINE_SPINLOCK(ksm_mmlist_lock);

void run_store(void)
{
	struct mm_struct *mm;
	spin_lock(&ksm_mmlist_lock);
	mm = mm_head.mm;
	mm_head.mm = NULL;
	spin_unlock(&ksm_mmlist_lock);
	if (mm && mm->num_users == 0)
		kfree(mm);
}

void ksm_enter(struct mm_struct *mm)
{
	mm->flags = 1; /* NOESCAPED */
	spin_lock(&ksm_mmlist_lock);
	mm_head.mm = mm;
	spin_unlock(&ksm_mmlist_lock);
}
