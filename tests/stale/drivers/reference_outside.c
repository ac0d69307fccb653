/* Found on a list under the lock; its reference is taken after. */
#include <linux/mutex.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/kref.h>

struct endpoint { struct list_head node; struct kref refs; int number; };
static LIST_HEAD(endpoints);
static DEFINE_MUTEX(endpoints_lock);
extern int endpoint_send(int number, const void *data, int size);

static void endpoint_release(struct kref *refs)
{
	kfree(container_of(refs, struct endpoint, refs));
}

void endpoint_unregister(struct endpoint *endpoint)
{
	mutex_lock(&endpoints_lock);
	list_del(&endpoint->node);
	mutex_unlock(&endpoints_lock);
	kref_put(&endpoint->refs, endpoint_release);
}

int endpoint_write(int number, const void *data, int size)
{
	struct endpoint *endpoint, *found = NULL;
	int error;

	mutex_lock(&endpoints_lock);
	list_for_each_entry(endpoint, &endpoints, node)
		if (endpoint->number == number) {
			found = endpoint;
			break;
		}
	if (!found) {
		mutex_unlock(&endpoints_lock);
		return -ENODEV;
	}
	mutex_unlock(&endpoints_lock);
	kref_get(&found->refs); /* TODO ESCAPED: freed by the function that is handed along when the reference is given back */
	error = endpoint_send(found->number, data, size);
	kref_put(&found->refs, endpoint_release);
	return error;
}
