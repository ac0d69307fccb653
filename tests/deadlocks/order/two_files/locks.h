#include <linux/mutex.h>
extern struct mutex route_lock, link_lock;
int link_count(void);
void route_flush(void);
