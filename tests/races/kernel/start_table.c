/* As start_table_repaired.c, but the table is one of commands: anybody may run them at any time. */
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/mutex.h>

struct command {
	int (*func)(void);
	const char *name;
};
extern const struct command commands_begin[], commands_end[];

static struct mutex engine_lock;
static int engine_state;
static int engine_contexts;

static void engine_clear(int contexts)
{
	engine_state = 0; /* RACE */
	engine_contexts = contexts; /* RACE */
}

static int engine_setup(void)
{
	engine_clear(8);
	engine_state = 1; /* RACE */
	return 0;
}
static const struct command engine_command __attribute__((section(".commands"))) = { .func = engine_setup, .name = "engine" };

static int clock_setup(void)
{
	return 0;
}
static const struct command clock_command __attribute__((section(".commands"))) = { .func = clock_setup, .name = "clock" };

void run_commands(void)
{
	const struct command *call;
	for (call = commands_begin; call < commands_end; call++)
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
