// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/slab.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/uaccess.h>

struct cmd {
	struct list_head	entry;
	char			text[32];
};

static LIST_HEAD(cmd_list);
static DEFINE_SPINLOCK(cmd_lock);
static DECLARE_WAIT_QUEUE_HEAD(cmd_wq);
static struct task_struct *cmd_task;

static struct cmd *cmd_next(void)
{
	struct cmd *c = NULL;

	if (!list_empty(&cmd_list)) { // TODO RACE: a list that is asked for its first by macros
		c = list_first_entry(&cmd_list, struct cmd, entry);
		list_del(&c->entry);
	}
	return c;
}

static bool cmd_available(void)
{
	bool any;

	spin_lock(&cmd_lock);
	any = !list_empty(&cmd_list);
	spin_unlock(&cmd_lock);
	return any;
}

static int cmd_thread(void *unused)
{
	struct cmd *c;

	while (!kthread_should_stop()) {
		wait_event_interruptible(cmd_wq,
					 cmd_available() || kthread_should_stop());
		while ((c = cmd_next()) != NULL) {
			pr_info("cmd: %s\n", c->text);
			kfree(c);
		}
	}
	return 0;
}

static ssize_t cmd_write(struct file *f, const char __user *ubuf,
			 size_t len, loff_t *pos)
{
	struct cmd *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	if (copy_from_user(c->text, ubuf, min(len, sizeof(c->text) - 1))) {
		kfree(c);
		return -EFAULT;
	}
	spin_lock(&cmd_lock);
	list_add_tail(&c->entry, &cmd_list);
	spin_unlock(&cmd_lock);
	wake_up_interruptible(&cmd_wq);
	return len;
}

static const struct file_operations cmd_fops = {
	.owner = THIS_MODULE,
	.write = cmd_write,
};

static struct miscdevice cmd_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name  = "cmdq",
	.fops  = &cmd_fops,
};

static int __init cmd_init(void)
{
	cmd_task = kthread_run(cmd_thread, NULL, "cmdq");
	if (IS_ERR(cmd_task))
		return PTR_ERR(cmd_task);
	return misc_register(&cmd_misc);
}

static void __exit cmd_exit(void)
{
	misc_deregister(&cmd_misc);
	kthread_stop(cmd_task);
}

module_init(cmd_init);
module_exit(cmd_exit);
MODULE_LICENSE("GPL");
