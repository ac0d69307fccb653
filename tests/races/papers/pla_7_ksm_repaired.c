/* PLA, Figure 7, with the flags set first and the mutex around the look at ksm_run. */
#include <linux/kobject.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#define KSM_RUN_MERGE 1
struct mm { int num_users; unsigned long flags; struct mm *next; };
static DEFINE_MUTEX(ksm_thread_mutex);
static unsigned long ksm_run;
static struct mm *mm_head;

int ksm_enter(struct mm *mm)
{
	mutex_lock(&ksm_thread_mutex);
	mm->flags = 1; /* NORACE */
	if (ksm_run & KSM_RUN_MERGE) /* NORACE */
		mm_head = mm; /* NORACE */
	mutex_unlock(&ksm_thread_mutex);
	return 0;
}

long run_store(unsigned long flags)
{
	mutex_lock(&ksm_thread_mutex);
	ksm_run = flags; /* NORACE */
	mutex_unlock(&ksm_thread_mutex);
	return 0;
}
