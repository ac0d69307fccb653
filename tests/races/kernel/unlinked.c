// racerx-verdict: shown
/* Taken off the list under the lock, the request belongs to its finder, who may free it. */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct request { struct list_head list; int status; int sectors; };
static DEFINE_SPINLOCK(requests_lock);
static LIST_HEAD(requests);

void request_add(struct request *request)
{
	spin_lock(&requests_lock);
	list_add(&request->list, &requests);
	request->status = 1; /* NORACE */
	spin_unlock(&requests_lock);
}

void requests_touch(int status)
{
	struct request *request;
	spin_lock(&requests_lock);
	list_for_each_entry(request, &requests, list)
		request->status = status; /* NORACE */
	spin_unlock(&requests_lock);
}

int request_run(void)
{
	struct request *request;
	int status;
	spin_lock(&requests_lock);
	request = list_first_entry(&requests, struct request, list);
	list_del(&request->list);
	spin_unlock(&requests_lock);
	request->status = 2; /* NORACE */
	status = request->status; /* NORACE */
	kfree(request);
	return status;
}
