#ifndef OSAL_H
#define OSAL_H
typedef struct osal_mutex osal_mutex_t;
typedef struct osal_task osal_task_t;
typedef void (*osal_entry_t)(void *arg);

osal_mutex_t *osal_mutex_create(void);
void osal_mutex_take(osal_mutex_t *m);
void osal_mutex_give(osal_mutex_t *m);
osal_task_t *osal_task_spawn(const char *name, osal_entry_t fn, void *arg);
void osal_task_wait(osal_task_t *t);
#endif
