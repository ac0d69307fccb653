#include <nuttx/config.h>
#include <nuttx/mutex.h>
#include <nuttx/fs/fs.h>
#include <errno.h>

struct mtdlog_dev_s
{
  mutex_t lock;
  int crefs;
  size_t head;
  FAR uint8_t *page;
};

static int mtdlog_open(FAR struct file *filep)
{
  FAR struct mtdlog_dev_s *dev = filep->f_inode->i_private;
  int ret;

  ret = nxmutex_lock(&dev->lock);
  if (ret < 0)
    {
      return ret;
    }

  if (dev->crefs == 255)
    {
      return -EMFILE; /* LEAK */
    }

  dev->crefs++;
  nxmutex_unlock(&dev->lock);
  return OK;
}

static int mtdlog_close(FAR struct file *filep)
{
  FAR struct mtdlog_dev_s *dev = filep->f_inode->i_private;
  int ret;

  ret = nxmutex_lock(&dev->lock);
  if (ret >= 0)
    {
      dev->crefs--;
      nxmutex_unlock(&dev->lock);
    }

  return ret;
}

static const struct file_operations g_mtdlog_fops =
{
  mtdlog_open,
  mtdlog_close,
};

int mtdlog_register(FAR const char *path, FAR struct mtdlog_dev_s *dev)
{
  nxmutex_init(&dev->lock);
  return register_driver(path, &g_mtdlog_fops, 0666, dev);
}
