#include <linux/mutex.h>
extern struct mutex shared_lock;
