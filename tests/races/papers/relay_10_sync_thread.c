// racerx-verdict: shown
// racerx: --preset linux
/* RELAY, Figure 10: the parent waits until its only child has set the state; they never run in parallel. */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/slab.h>

#define IP_VS_STATE_MASTER 1
static int state;
static int mesg_maxlen;

static void set_sync_mesg_maxlen(int sync_state)
{
	mesg_maxlen = sync_state * 1500; /* NORACE */
}

static int sync_thread(void *startup)
{
	state = IP_VS_STATE_MASTER; /* NORACE */
	set_sync_mesg_maxlen(state); /* NORACE */
	complete(startup);
	return 0;
}

int start_sync_thread(void)
{
	DECLARE_COMPLETION_ONSTACK(startup);
	if (state == IP_VS_STATE_MASTER) /* NORACE */
		return -EEXIST;
repeat:
	if (kernel_thread(sync_thread, &startup, 0) < 0)
		goto repeat;
	wait_for_completion(&startup);
	return 0;
}
