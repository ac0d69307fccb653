// racerx-verdict: shown
/* One copy per processor. The sum over all is meant to be only about right. */
#include <linux/percpu.h>
#include <linux/spinlock.h>

static DEFINE_PER_CPU(unsigned long, packets);
static DEFINE_PER_CPU(int, depth);
static DEFINE_SPINLOCK(total_lock);
static unsigned long total;

void packet_received(void)
{
	this_cpu_inc(packets); /* NORACE */
	get_cpu_var(depth)++; /* NORACE */
	put_cpu_var(depth);
	spin_lock(&total_lock);
	total++; /* NORACE */
	spin_unlock(&total_lock);
}

void packet_reset(void)
{
	this_cpu_write(packets, 0); /* NORACE */
	spin_lock(&total_lock);
	total = 0; /* NORACE */
	spin_unlock(&total_lock);
}

unsigned long packet_sum(void)
{
	unsigned long sum = 0;
	int cpu;
	for_each_possible_cpu(cpu)
		sum += per_cpu(packets, cpu); /* NORACE */
	return sum;
}
