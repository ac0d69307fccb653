// racerx: --preset linux
/* PLA, Figure 3, with data that is written after the pointer was handed over. */
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
	WRITE_ONCE(msg, msg1);
	msg1->data = 7; /* RACE@a */
	return 0;
}

static int thread2(void *unused)
{
	struct message *msg2 = READ_ONCE(msg);
	return msg2 ? msg2->data : 0; /* RACE@a */
}

int exchange(void)
{
	kthread_run(thread1, NULL, "one");
	kthread_run(thread2, NULL, "two");
	return 0;
}
