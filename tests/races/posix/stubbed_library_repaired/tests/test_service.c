// The test has its own idea of the library.
#include <loop.h>
struct task {
    void (*handler)(void *data);
    void *data;
};

void task_register(struct task *task) {
    task->handler(task->data);
}

void loop_run(void) {}
