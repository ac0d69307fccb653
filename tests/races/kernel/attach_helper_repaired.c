/* The probe of a card resets it with a helper of the driver, before anybody has the card; so does an ioctl, with the
   lock that the interrupt takes. */
#include <linux/interrupt.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct card {
	spinlock_t lock;
	int mode;
	int errors;
	int pending;
};

static void card_clear(struct card *card)
{
	card->errors = 0;  /* NORACE */
	card->pending = 0; /* NORACE */
}

static void card_reset(struct card *card)
{
	card->mode = 1; /* NORACE */
	card_clear(card);
}

static irqreturn_t card_interrupt(int irq, void *data)
{
	struct card *card = data;
	spin_lock(&card->lock);
	card->pending++;
	if (card->mode == 1)
		card->errors++;
	spin_unlock(&card->lock);
	return IRQ_HANDLED;
}

static long card_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct card *card = file->private_data;
	spin_lock_irq(&card->lock);
	card_reset(card);
	spin_unlock_irq(&card->lock);
	return 0;
}

static ssize_t card_read(struct file *file, char *to, size_t size, loff_t *at)
{
	struct card *card = file->private_data;
	int pending;
	spin_lock_irq(&card->lock);
	pending = card->pending + card->errors;
	card->pending = card->errors = 0;
	card->mode = 2;
	spin_unlock_irq(&card->lock);
	return pending;
}

static const struct file_operations card_operations = {
	.unlocked_ioctl = card_ioctl,
	.read = card_read,
};

static int card_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	struct card *card = pci_card_of(pci);
	int error;
	spin_lock_init(&card->lock);
	card_reset(card);
	error = request_irq(pci->irq, card_interrupt, IRQF_SHARED, "card", card);
	return error ? error : card_register(card, &card_operations);
}

static struct pci_driver card_driver = {
	.name = "card",
	.probe = card_probe,
};
module_pci_driver(card_driver);

static int stub_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	return pci->irq ? 0 : -ENODEV;
}

static struct pci_driver stub_driver = {
	.name = "stub",
	.probe = stub_probe,
};
module_pci_driver(stub_driver);

/* Binding by hand, and when a device is found. */
static ssize_t bind_store(struct device_driver *driver, const char *text, size_t size)
{
	struct pci_dev *pci = pci_named(text);
	struct pci_driver *wanted = container_of(driver, struct pci_driver, driver);
	return wanted->probe(pci, NULL);
}
static DRIVER_ATTR_WO(bind);

void pci_found(struct pci_dev *pci, struct pci_driver *driver)
{
	driver->probe(pci, pci_match(pci, driver));
}
