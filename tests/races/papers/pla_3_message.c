// racerx-verdict: shown
// racerx: --preset linux
/* PLA, Figure 3: the pointer is exchanged by WRITE_ONCE and READ_ONCE, so the data behind it is ready. Harmless. */
#include <linux/compiler.h>
#include <linux/kthread.h>
#include <linux/slab.h>

struct message { int data; };
static struct message *msg;

static int thread1(void *unused)
{
	struct message *msg1 = kmalloc(sizeof(*msg1), GFP_KERNEL);
	if (!msg1)
		return -ENOMEM;
	msg1->data = 7; /* NORACE */
	WRITE_ONCE(msg, msg1); /* NORACE */
	return 0;
}

static int thread2(void *unused)
{
	struct message *msg2 = READ_ONCE(msg); /* NORACE */
	return msg2 ? msg2->data : 0; /* NORACE */
}

int exchange(void)
{
	kthread_run(thread1, NULL, "one");
	kthread_run(thread2, NULL, "two");
	return 0;
}
