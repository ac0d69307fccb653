#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(gov_lock);
static unsigned int gov_freq = 800;
static unsigned int gov_load;
static unsigned int gov_changes;
static struct task_struct *gov_task;

static int governor(void *unused)
{
	while (!kthread_should_stop()) {
		mutex_lock(&gov_lock);
		if (gov_load > 80 && gov_freq < 3000) {
			gov_freq += 100;
			gov_changes++;
		} else if (gov_load < 20 && gov_freq > 800) {
			gov_freq -= 100;
			gov_changes++;
		}
		mutex_unlock(&gov_lock);
		msleep(100);
	}
	return 0;
}

static int set_freq(const char *val, const struct kernel_param *kp)
{
	unsigned int f;

	if (kstrtouint(val, 0, &f))
		return -EINVAL;
	mutex_lock(&gov_lock);
	gov_freq = f; // NORACE
	gov_changes++;
	mutex_unlock(&gov_lock);
	return 0;
}

static const struct kernel_param_ops freq_ops = { .set = set_freq };
module_param_cb(freq, &freq_ops, NULL, 0200);

void gov_report_load(unsigned int load)
{
	mutex_lock(&gov_lock);
	gov_load = load;
	mutex_unlock(&gov_lock);
}
EXPORT_SYMBOL(gov_report_load);

static int __init gov_init(void)
{
	gov_task = kthread_run(governor, NULL, "toygov");
	return PTR_ERR_OR_ZERO(gov_task);
}

static void __exit gov_exit(void)
{
	kthread_stop(gov_task);
}
module_init(gov_init);
module_exit(gov_exit);
