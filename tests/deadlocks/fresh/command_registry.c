#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef int (*command_fn)(int argc, char **argv);
struct command { const char *name; command_fn run; };

static pthread_mutex_t reg_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t term_lock = PTHREAD_MUTEX_INITIALIZER;
static struct command commands[8];
static int ncommands, echoed;

static void register_command(const char *name, command_fn run)
{
    pthread_mutex_lock(&reg_lock); /* DEADLOCK */
    if (ncommands < 8)
        commands[ncommands++] = (struct command){ name, run };
    pthread_mutex_unlock(&reg_lock);
}

static int cmd_echo(int argc, char **argv)
{
    pthread_mutex_lock(&term_lock); /* DEADLOCK */
    echoed += argc + (argv[0] != NULL);
    pthread_mutex_unlock(&term_lock);
    return 0;
}

static int dispatch(const char *line)
{
    char *argv[] = { "x", NULL };
    command_fn run = NULL;
    int rc = -1;

    pthread_mutex_lock(&reg_lock);
    for (int i = 0; i < ncommands; i++)
        if (!strcmp(commands[i].name, line))
            run = commands[i].run;
    if (run)
        rc = run(1, argv);
    pthread_mutex_unlock(&reg_lock);
    return rc;
}

static void *plugin_loader(void *arg)
{
    pthread_mutex_lock(&term_lock);
    echoed = 0;
    register_command(arg, cmd_echo);
    pthread_mutex_unlock(&term_lock);
    return NULL;
}

int main(void)
{
    pthread_t t;

    register_command("echo", cmd_echo);
    pthread_create(&t, NULL, plugin_loader, "ping");
    for (int i = 0; i < 20; i++)
        dispatch("echo");
    pthread_join(t, NULL);
    return 0;
}
