/* Start-up calls stand in a table that the linker collects; a loop over it runs them before there are threads. What they
   call does without the lock; so does a helper that a thread calls, with it. */
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/mutex.h>

struct initcall {
	int (*func)(void);
	const char *name;
};
extern const struct initcall initcalls_begin[], initcalls_end[];

static struct mutex engine_lock;
static int engine_state;
static int engine_contexts;

static void engine_clear(int contexts)
{
	engine_state = 0; /* NORACE */
	engine_contexts = contexts; /* NORACE */
}

static int engine_setup(void)
{
	engine_clear(8);
	engine_state = 1; /* NORACE */
	return 0;
}
static const struct initcall engine_initcall __attribute__((section(".initcalls"))) = { .func = engine_setup, .name = "engine" };

static int clock_setup(void)
{
	return 0;
}
static const struct initcall clock_initcall __attribute__((section(".initcalls"))) = { .func = clock_setup, .name = "clock" };

void run_initcalls(void)
{
	const struct initcall *call;
	for (call = initcalls_begin; call < initcalls_end; call++)
		call->func();
}

static int engine_thread(void *data)
{
	mutex_lock(&engine_lock);
	if (engine_state > 3)
		engine_clear(engine_contexts);
	engine_state++;
	mutex_unlock(&engine_lock);
	return 0;
}

long sys_engine_use(int contexts)
{
	mutex_lock(&engine_lock);
	engine_state += contexts;
	engine_contexts--;
	mutex_unlock(&engine_lock);
	return 0;
}

long sys_engine_reset(void)
{
	mutex_lock(&engine_lock);
	engine_clear(4);
	mutex_unlock(&engine_lock);
	return 0;
}

struct task_struct *engine_start(void)
{
	return kthread_run(engine_thread, NULL, "engine");
}
