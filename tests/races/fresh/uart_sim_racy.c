/* uart_sim: a device model whose "interrupt" comes from a thread. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define SR_RXNE 0x01u
#define SR_OVR  0x02u
#define FIFO    16

struct uart {
	volatile uint32_t sr;
	uint8_t rx[FIFO];
	unsigned rd, wr;
	uint32_t overruns;
	pthread_spinlock_t irq_lock;
};

static struct uart uart0;

extern int wire_byte(void);

static void uart_isr(struct uart *u, uint8_t byte)
{
	pthread_spin_lock(&u->irq_lock);
	if (u->wr - u->rd == FIFO) {
		u->sr |= SR_OVR;
		u->overruns++;
	} else {
		u->rx[u->wr++ % FIFO] = byte;
		u->sr |= SR_RXNE;
	}
	pthread_spin_unlock(&u->irq_lock);
}

static void *hw_thread(void *ctx)
{
	struct uart *u = ctx;
	int i;

	for (i = 0; i < 3000; i++)
		uart_isr(u, (uint8_t)wire_byte());
	return NULL;
}

static int uart_read(struct uart *u, uint8_t *buf, int n)
{
	int got = 0;

	pthread_spin_lock(&u->irq_lock);
	while (got < n && u->rd != u->wr)
		buf[got++] = u->rx[u->rd++ % FIFO];
	if (u->rd == u->wr)
		u->sr &= ~SR_RXNE;
	pthread_spin_unlock(&u->irq_lock);
	return got;
}

static int uart_clear_overrun(struct uart *u)
{
	int had;

	had = !!(u->sr & SR_OVR);
	u->sr &= ~SR_OVR; // RACE!
	return had;
}

int main(void)
{
	pthread_t hw;
	uint8_t buf[8];
	int i, total = 0, ovr = 0;

	pthread_spin_init(&uart0.irq_lock, PTHREAD_PROCESS_PRIVATE);
	if (pthread_create(&hw, NULL, hw_thread, &uart0))
		return 1;
	for (i = 0; i < 500; i++) {
		total += uart_read(&uart0, buf, sizeof buf);
		ovr += uart_clear_overrun(&uart0);
	}
	pthread_join(hw, NULL);
	printf("%d bytes, %d overruns\n", total, ovr);
	return 0;
}
