typedef struct {
    int busy;
} os_mutex;
typedef int os_thread;
int os_take(os_mutex *mutex);
int os_give(os_mutex *mutex);
