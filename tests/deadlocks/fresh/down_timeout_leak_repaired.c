#include <linux/semaphore.h>
#include <linux/module.h>
#include <linux/slab.h>

static DEFINE_SEMAPHORE(flash_sem);
static u8 *flash_page;

int flash_program(const u8 *data, int n)
{
	int i;

	if (down_timeout(&flash_sem, HZ))
		return -ETIME;
	if (!flash_page)
		goto none;
	for (i = 0; i < n; i++)
		flash_page[i] = data[i];
	up(&flash_sem);
	return 0;
none:
	up(&flash_sem);
	return -ENODEV;
}
EXPORT_SYMBOL(flash_program);

int flash_erase(void)
{
	if (down_interruptible(&flash_sem))
		return -EINTR;
	memset(flash_page, 0xff, 256);
	up(&flash_sem);
	return 0;
}
EXPORT_SYMBOL(flash_erase);
