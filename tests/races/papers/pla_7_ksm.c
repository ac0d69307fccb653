/*
 * PLA, Figure 7: ksm_enter looks at ksm_run without the mutex that its writer holds, and sets the flags of a page
 * list that the writer may have freed meanwhile.
 */
#include <linux/kobject.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#define KSM_RUN_MERGE 1
#define KSM_RUN_UNMERGE 2
struct mm { int num_users; unsigned long flags; struct mm *next; };
static DEFINE_MUTEX(ksm_thread_mutex);
static DEFINE_SPINLOCK(ksm_mmlist_lock);
static unsigned long ksm_run;
static struct mm *mm_head;

static void mm_add(struct mm *mm)
{
	spin_lock(&ksm_mmlist_lock);
	mm->next = mm_head; /* NORACE */
	mm_head = mm; /* NORACE */
	spin_unlock(&ksm_mmlist_lock);
}

int ksm_enter(struct mm *mm)
{
	if (ksm_run & KSM_RUN_MERGE) /* RACE */
		mm_add(mm);
	mm->flags = 1; /* TODO RACE: freeing is no write; nobody else sets the flags */
	return 0;
}

long run_store(unsigned long flags)
{
	struct mm *mm;
	mutex_lock(&ksm_thread_mutex);
	ksm_run = flags;
	if (flags & KSM_RUN_UNMERGE) {
		spin_lock(&ksm_mmlist_lock);
		for (mm = mm_head; mm; mm = mm->next) /* NORACE */
			if (mm->num_users == 0)
				kfree(mm);
		spin_unlock(&ksm_mmlist_lock);
	}
	mutex_unlock(&ksm_thread_mutex);
	return 0;
}

int ksm_should_run(void) { int r; mutex_lock(&ksm_thread_mutex); r = ksm_run & KSM_RUN_MERGE; mutex_unlock(&ksm_thread_mutex); return r; }
int ksm_stopped(void) { int r; mutex_lock(&ksm_thread_mutex); r = !ksm_run; mutex_unlock(&ksm_thread_mutex); return r; }
long run_show(void) { long r; mutex_lock(&ksm_thread_mutex); r = ksm_run; mutex_unlock(&ksm_thread_mutex); return r; }
void ksm_offline(void) { mutex_lock(&ksm_thread_mutex); ksm_run |= 4; mutex_unlock(&ksm_thread_mutex); }
void ksm_online(void) { mutex_lock(&ksm_thread_mutex); ksm_run &= ~4UL; mutex_unlock(&ksm_thread_mutex); }
void ksm_stop(void) { mutex_lock(&ksm_thread_mutex); ksm_run = 0; mutex_unlock(&ksm_thread_mutex); }
void ksm_start(void) { mutex_lock(&ksm_thread_mutex); ksm_run = KSM_RUN_MERGE; mutex_unlock(&ksm_thread_mutex); }
int ksm_merging(void) { int r; mutex_lock(&ksm_thread_mutex); r = ksm_run == KSM_RUN_MERGE; mutex_unlock(&ksm_thread_mutex); return r; }
