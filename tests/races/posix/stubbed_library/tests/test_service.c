// The test has its own idea of the library.
#include <loop.h>
#include "task.h"

void task_run(struct task *task) {
    task->handler(task->data);
}

void loop_run(void) {}
