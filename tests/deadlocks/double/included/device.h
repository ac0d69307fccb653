#include <pthread.h>

struct device {
	pthread_mutex_t lock;
	int state, queued;
};
