// A serial driver: the locks of this kernel, right and wrong.
#include <nuttx/config.h>
#include <nuttx/irq.h>
#include <nuttx/mutex.h>
#include <nuttx/semaphore.h>
#include <nuttx/spinlock.h>
#include <nuttx/wqueue.h>
#include <nuttx/kmalloc.h>

struct uart_dev_s
{
  mutex_t lock;
  sem_t ready;
  spinlock_t spin;
  struct work_s work;
  struct wdog_s timer;
  int opens;
  int pending;
  int head;
};

static mutex_t g_first = NXMUTEX_INITIALIZER;
static mutex_t g_second = NXMUTEX_INITIALIZER;
static rmutex_t g_table = NXRMUTEX_INITIALIZER;
static rw_semaphore_t g_map;
static pthread_mutex_t g_posix = PTHREAD_MUTEX_INITIALIZER;
static int g_received, g_overruns, g_total, g_entries, g_mapped, g_calls, g_done, g_timeouts, g_slips, g_shared;

// Handlers are kept out by a critical section, which is let go while its thread waits.

static int uart_interrupt(int irq, FAR void *context, FAR void *arg)
{
  FAR struct uart_dev_s *dev = arg;
  irqstate_t flags = spin_lock_irqsave(&dev->spin); /* NOIRQ-DEADLOCK */
  dev->pending++; /* NORACE */
  spin_unlock_irqrestore(&dev->spin, flags);
  g_received++; /* NORACE */
  g_overruns++; /* RACE@overruns */
  nxsem_post(&dev->ready);
  return OK;
}

static ssize_t uart_read(FAR struct file *filep, FAR char *buffer, size_t length)
{
  FAR struct uart_dev_s *dev = filep->f_priv;
  irqstate_t flags = enter_critical_section();
  int ret;

  while (g_received == 0)
    {
      ret = nxsem_wait(&dev->ready); /* NOSLEEP */
      if (ret < 0)
        {
          leave_critical_section(flags);
          return ret;
        }
    }

  g_received--; /* NORACE */
  leave_critical_section(flags);
  g_overruns = g_overruns - 1; /* RACE@overruns */
  flags = spin_lock_irqsave(&dev->spin); /* NOIRQ-DEADLOCK */
  dev->pending = 0; /* NORACE */
  spin_unlock_irqrestore(&dev->spin, flags);
  return 1;
}

static ssize_t uart_write(FAR struct file *filep, FAR const char *buffer, size_t length)
{
  FAR struct uart_dev_s *dev = filep->f_priv;
  irqstate_t flags = spin_lock_irqsave(&dev->spin);

  dev->head++;
  nxsem_wait_uninterruptible(&dev->ready); /* SLEEP */
  spin_unlock_irqrestore(&dev->spin, flags);
  return length;
}

// Mutexes return a number below 0 when they were not got.

static int uart_open(FAR struct file *filep)
{
  FAR struct uart_dev_s *dev = filep->f_priv;
  int ret = nxmutex_lock(&dev->lock);

  if (ret < 0)
    {
      return ret; /* NOLEAK */
    }

  dev->opens++;
  nxmutex_unlock(&dev->lock);
  return OK;
}

static int uart_close(FAR struct file *filep)
{
  FAR struct uart_dev_s *dev = filep->f_priv;

  if (nxmutex_trylock(&dev->lock) < 0)
    {
      return -EBUSY;
    }

  dev->opens--; /* NORACE */
  nxmutex_unlock(&dev->lock); /* NOUNHELD */
  return OK;
}

static const struct file_operations g_uart_ops =
{
  uart_open, uart_close, uart_read, uart_write
};

int uart_first(void)
{
  nxmutex_lock(&g_first);
  nxmutex_lock(&g_second); /* DEADLOCK@orders */
  g_total++;
  nxmutex_unlock(&g_second);
  nxmutex_unlock(&g_first);
  return 0;
}

int uart_second(void)
{
  nxmutex_lock(&g_second);
  nxmutex_lock(&g_first); /* DEADLOCK@orders */
  g_total--;
  nxmutex_unlock(&g_first);
  nxmutex_unlock(&g_second);
  return 0;
}

// One that nests, readers and writers, and POSIX beside them.

int table_add(int n)
{
  nxrmutex_lock(&g_table);
  nxrmutex_lock(&g_table); /* NODOUBLE-LOCK */
  g_entries += n; /* NORACE */
  nxrmutex_unlock(&g_table);
  nxrmutex_unlock(&g_table);
  return 0;
}

int table_clear(void)
{
  nxrmutex_lock(&g_table);
  if (g_entries == 0)
    {
      return -ENOENT; /* LEAK */
    }

  g_entries = 0; /* NORACE */
  nxrmutex_unlock(&g_table);
  return 0;
}

int map_get(void)
{
  int n;

  down_read(&g_map);
  n = g_mapped; /* NORACE */
  up_read(&g_map);
  return n;
}

int map_set(int n)
{
  down_write(&g_map);
  g_mapped = n; /* NORACE */
  up_write(&g_map);
  down_read(&g_map);
  g_calls += n; /* RACE@calls */
  up_read(&g_map);
  return 0;
}

int map_add(int n)
{
  down_write(&g_map);
  g_calls -= n;
  up_write(&g_map);
  return 0;
}

int map_zero(void)
{
  down_write(&g_map);
  g_calls = 0;
  up_write(&g_map);
  return 0;
}

int map_one(void)
{
  down_write(&g_map);
  g_calls = 1;
  up_write(&g_map);
  down_read(&g_map);
  g_calls++; /* RACE@calls */
  up_read(&g_map);
  return 0;
}

int posix_add(int n)
{
  pthread_mutex_lock(&g_posix);
  g_shared += n; /* NORACE */
  pthread_mutex_unlock(&g_posix);
  return 0;
}

int posix_clear(void)
{
  pthread_mutex_lock(&g_posix);
  g_shared = 0; /* NORACE */
  pthread_mutex_unlock(&g_posix);
  return 0;
}

// Work in a thread, watchdogs in the clock's handler.

static void uart_worker(FAR void *arg)
{
  FAR struct uart_dev_s *dev = arg;
  nxmutex_lock(&dev->lock);
  g_done++;
  nxmutex_unlock(&dev->lock);
}

static void uart_timeout(wdparm_t arg)
{
  g_timeouts++; /* RACE@timeouts */
  g_slips++; /* NORACE */
}

int uart_start(FAR struct uart_dev_s *dev)
{
  irqstate_t flags;

  work_queue(HPWORK, &dev->work, uart_worker, dev, 0);
  wd_start(&dev->timer, 100, uart_timeout, (wdparm_t)dev);
  flags = enter_critical_section();
  g_slips--; /* NORACE */
  leave_critical_section(flags);
  g_timeouts -= 2; /* RACE@timeouts */
  return 0;
}

int uart_stop(FAR struct uart_dev_s *dev)
{
  nxmutex_lock(&dev->lock);
  work_cancel_sync(HPWORK, &dev->work); /* DEADLOCK */
  nxmutex_unlock(&dev->lock);
  return 0;
}

FAR struct uart_dev_s *uart_initialize(int irq)
{
  FAR struct uart_dev_s *dev = kmm_zalloc(sizeof(struct uart_dev_s));

  nxmutex_init(&dev->lock);
  nxsem_init(&dev->ready, 0, 0);
  irq_attach(irq, uart_interrupt, dev);
  register_driver("/dev/ttyS0", &g_uart_ops, 0666, dev);
  return dev;
}
