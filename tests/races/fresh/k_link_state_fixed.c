// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/pci.h>
#include <linux/io.h>
#include <linux/slab.h>

#define DBELL_CAUSE	0x00
#define CAUSE_TX	BIT(0)
#define CAUSE_CMD	BIT(1)

struct dbell {
	void __iomem *bar;
	spinlock_t tx_lock;	/* tx_done */
	spinlock_t cmd_lock;	/* cmd_pending, errors */
	u32 tx_done;
	u32 cmd_pending;
	u32 errors;
	struct work_struct work;
};

static irqreturn_t dbell_irq(int irq, void *ctx)
{
	struct dbell *db = ctx;
	u32 cause = readl(db->bar + DBELL_CAUSE);

	if (!cause)
		return IRQ_NONE;
	if (cause & CAUSE_TX) {
		spin_lock(&db->tx_lock);
		db->tx_done++;
		spin_unlock(&db->tx_lock);
	}
	if (cause & CAUSE_CMD) {
		spin_lock(&db->cmd_lock);
		db->cmd_pending |= cause >> 8;
		spin_unlock(&db->cmd_lock);
		schedule_work(&db->work);
	}
	return IRQ_HANDLED;
}

static void dbell_work(struct work_struct *w)
{
	struct dbell *db = container_of(w, struct dbell, work);
	u32 todo, done;

	spin_lock_irq(&db->tx_lock);
	done = db->tx_done;
	db->tx_done = 0;
	spin_unlock_irq(&db->tx_lock);

	spin_lock_irq(&db->cmd_lock);
	todo = db->cmd_pending; // NORACE
	db->cmd_pending = 0; // NORACE
	spin_unlock_irq(&db->cmd_lock);

	while (todo) {
		u32 bit = todo & -todo;

		todo &= ~bit;
		writel(bit, db->bar + 0x10);
		if (readl(db->bar + 0x14)) {
			spin_lock_irq(&db->cmd_lock);
			db->errors++;
			spin_unlock_irq(&db->cmd_lock);
		}
	}
	writel(done, db->bar + 0x18);
}

static int dbell_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct dbell *db = devm_kzalloc(&pdev->dev, sizeof(*db), GFP_KERNEL);
	int ret;

	if (!db)
		return -ENOMEM;
	spin_lock_init(&db->tx_lock);
	spin_lock_init(&db->cmd_lock);
	INIT_WORK(&db->work, dbell_work);
	ret = pci_enable_device(pdev);
	if (ret)
		return ret;
	db->bar = pci_iomap(pdev, 0, 0);
	if (!db->bar)
		return -ENODEV;
	pci_set_drvdata(pdev, db);
	return request_irq(pdev->irq, dbell_irq, IRQF_SHARED, "dbell", db);
}

static void dbell_remove(struct pci_dev *pdev)
{
	struct dbell *db = pci_get_drvdata(pdev);

	free_irq(pdev->irq, db);
	cancel_work_sync(&db->work);
	pci_iounmap(pdev, db->bar);
}

static struct pci_driver dbell_driver = {
	.name	= "dbell",
	.probe	= dbell_probe,
	.remove	= dbell_remove,
};
module_pci_driver(dbell_driver);
MODULE_LICENSE("GPL");
