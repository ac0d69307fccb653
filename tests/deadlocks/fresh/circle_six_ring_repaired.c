#include <pthread.h>
#include <stdio.h>

#define DEFINE_STAGE(name)                                          \
    static pthread_mutex_t name##_lock = PTHREAD_MUTEX_INITIALIZER; \
    static int name##_count

DEFINE_STAGE(fetch);
DEFINE_STAGE(decode);
DEFINE_STAGE(rename_);
DEFINE_STAGE(issue);
DEFINE_STAGE(execute);
DEFINE_STAGE(retire);

static void hand_over(pthread_mutex_t *mine, int *my_count, pthread_mutex_t *next, int *next_count)
{
    pthread_mutex_lock(mine);
    if (*my_count > 0) {
        pthread_mutex_lock(next);
        (*my_count)--;
        (*next_count)++;
        pthread_mutex_unlock(next);
    }
    pthread_mutex_unlock(mine);
}

static void *fetch_thread(void *a)
{
    hand_over(&fetch_lock, &fetch_count, &decode_lock, &decode_count);
    return a;
}
static void *decode_thread(void *a)
{
    hand_over(&decode_lock, &decode_count, &rename__lock, &rename__count);
    return a;
}
static void *rename_thread(void *a)
{
    hand_over(&rename__lock, &rename__count, &issue_lock, &issue_count);
    return a;
}
static void *issue_thread(void *a)
{
    hand_over(&issue_lock, &issue_count, &execute_lock, &execute_count);
    return a;
}
static void *execute_thread(void *a)
{
    hand_over(&execute_lock, &execute_count, &retire_lock, &retire_count);
    return a;
}
static void *retire_thread(void *a)
{
    pthread_mutex_lock(&retire_lock);
    int n = retire_count;
    retire_count = 0;
    pthread_mutex_unlock(&retire_lock);
    pthread_mutex_lock(&fetch_lock);
    fetch_count += n;
    pthread_mutex_unlock(&fetch_lock);
    return a;
}

int main(void)
{
    pthread_t t[6];
    static void *(*const stages[])(void *) = {
        fetch_thread, decode_thread, rename_thread, issue_thread, execute_thread, retire_thread,
    };

    fetch_count = decode_count = rename__count = issue_count = execute_count = retire_count = 1;
    for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++)
        pthread_create(&t[i], NULL, stages[i], NULL);
    for (unsigned i = 0; i < 6; i++)
        pthread_join(t[i], NULL);
    return 0;
}
