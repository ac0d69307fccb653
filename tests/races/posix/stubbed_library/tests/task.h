struct task {
    void (*handler)(void *data);
    void *data;
};
void task_run(struct task *task);
