#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

struct fw_link {
	struct mutex tx;
	struct completion reply;
	struct work_struct rx_work;
	u32 answer;
	u32 seq;
};

static u32 hw_pop(void);

static void rx_fn(struct work_struct *w)
{
	struct fw_link *l = container_of(w, struct fw_link, rx_work);

	mutex_lock(&l->tx);
	l->answer = hw_pop();
	mutex_unlock(&l->tx);
	complete(&l->reply);
}

int link_call(struct fw_link *l, u32 cmd, u32 *out)
{
	mutex_lock(&l->tx);
	l->seq = cmd;
	schedule_work(&l->rx_work);
	mutex_unlock(&l->tx);
	wait_for_completion(&l->reply);
	mutex_lock(&l->tx);
	*out = l->answer;
	mutex_unlock(&l->tx);
	return 0;
}
EXPORT_SYMBOL(link_call);

void link_init(struct fw_link *l)
{
	mutex_init(&l->tx);
	init_completion(&l->reply);
	INIT_WORK(&l->rx_work, rx_fn);
}
EXPORT_SYMBOL(link_init);
