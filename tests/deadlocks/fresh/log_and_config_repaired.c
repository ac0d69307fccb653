#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t config_mutex = PTHREAD_MUTEX_INITIALIZER;
static int log_level = 1;
static char log_file[64] = "stderr";
static unsigned long lines_written;

static int config_get_level(void)
{
    int level;

    pthread_mutex_lock(&config_mutex);
    level = log_level;
    pthread_mutex_unlock(&config_mutex);
    return level;
}

static int should_log(int level)
{
    return level >= config_get_level();
}

static void log_line(int level, const char *text)
{
    int wanted = should_log(level);
    pthread_mutex_lock(&log_mutex);
    if (wanted) {
        lines_written++;
        fprintf(stderr, "%s\n", text);
    }
    pthread_mutex_unlock(&log_mutex);
}

static void log_rotate(const char *name)
{
    pthread_mutex_lock(&log_mutex);
    lines_written = 0;
    pthread_mutex_unlock(&log_mutex);
    (void)name;
}

static void config_set_file(const char *name)
{
    pthread_mutex_lock(&config_mutex);
    snprintf(log_file, sizeof log_file, "%s", name);
    log_rotate(log_file);
    pthread_mutex_unlock(&config_mutex);
}

static void *worker(void *arg)
{
    for (int i = 0; i < 100; i++)
        log_line(2, arg);
    return NULL;
}

static void *reloader(void *arg)
{
    (void)arg;
    for (int i = 0; i < 100; i++)
        config_set_file(i % 2 ? "a.log" : "b.log");
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, "tick");
    pthread_create(&b, NULL, reloader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
