#include <nuttx/config.h>
#include <nuttx/mutex.h>
#include <nuttx/semaphore.h>
#include <nuttx/kthread.h>
#include <nuttx/wqueue.h>

static mutex_t g_devlock = NXMUTEX_INITIALIZER;
static mutex_t g_statlock = NXMUTEX_INITIALIZER;
static int g_open, g_stats;

static void stat_update(int by)
{
  nxmutex_lock(&g_statlock);
  g_stats += by;
  nxmutex_unlock(&g_statlock);
}

static int dev_daemon(int argc, FAR char *argv[])
{
  for (; ; )
    {
      nxmutex_lock(&g_devlock);
      if (g_open > 0)
        {
          stat_update(1);
        }

      nxmutex_unlock(&g_devlock);
      nxsig_usleep(1000);
    }

  return OK;
}

static int stat_daemon(int argc, FAR char *argv[])
{
  int n;

  for (; ; )
    {
      nxmutex_lock(&g_devlock);
      n = g_open;
      nxmutex_unlock(&g_devlock);
      nxmutex_lock(&g_statlock);
      g_stats -= n;
      nxmutex_unlock(&g_statlock);
      nxsig_sleep(1);
    }

  return OK;
}

int start_daemons(void)
{
  kthread_create("dev", 100, 2048, dev_daemon, NULL);
  kthread_create("stat", 90, 2048, stat_daemon, NULL);
  return OK;
}
