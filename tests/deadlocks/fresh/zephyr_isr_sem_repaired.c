#include <zephyr/kernel.h>
#include <zephyr/irq.h>
#include <zephyr/device.h>

#define UART_IRQ 12

K_SEM_DEFINE(tx_sem, 1, 1);
static uint8_t fifo[16];
static unsigned int count;

static void push_byte(uint8_t b)
{
	if (k_sem_take(&tx_sem, K_NO_WAIT) != 0) {
		return;
	}
	if (count < sizeof(fifo)) {
		fifo[count++] = b;
	}
	k_sem_give(&tx_sem);
}

static void uart_isr(const void *arg)
{
	ARG_UNUSED(arg);
	push_byte(0x55);
}

void uart_setup(void)
{
	IRQ_CONNECT(UART_IRQ, 2, uart_isr, NULL, 0);
	irq_enable(UART_IRQ);
}
