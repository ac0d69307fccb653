/* The slides' serial_out-info pair, always with interrupts off. */
#include <linux/serial.h>
#include <linux/interrupt.h>

struct esp_struct { int port; int irq; unsigned char IER; unsigned char MCR; };

struct esp_operations {
	void (*shutdown)(struct esp_struct *info);
	void (*startup)(struct esp_struct *info);
	void (*change_speed)(struct esp_struct *info);
	void (*throttle)(struct esp_struct *info);
	void (*unthrottle)(struct esp_struct *info);
	void (*break_on)(struct esp_struct *info);
	void (*break_off)(struct esp_struct *info);
	void (*flush_output)(struct esp_struct *info);
	void (*set_trigger)(struct esp_struct *info);
	void (*set_timeout)(struct esp_struct *info);
	void (*read_status)(struct esp_struct *info);
	void (*stop)(struct esp_struct *info);
	void (*start)(struct esp_struct *info);
	void (*stop_rx)(struct esp_struct *info);
	void (*stop_modem)(struct esp_struct *info);
	void (*start_modem)(struct esp_struct *info);
	void (*hangup)(struct esp_struct *info);
	void (*wait_sent)(struct esp_struct *info);
};

static inline void serial_out(struct esp_struct *info, int offset, unsigned char value)
{
	outb(value, info->port + offset);
}

static void rs_shutdown(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_SET_IRQ);
	serial_out(info, UART_ESI_CMD2, 0x10);
	restore_flags(flags);
}

static void rs_startup(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_SET_MODE);
	serial_out(info, UART_ESI_CMD2, 0x11);
	restore_flags(flags);
}

static void rs_change_speed(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_SET_BAUD);
	serial_out(info, UART_ESI_CMD2, 0x12);
	restore_flags(flags);
}

static void rs_throttle(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_SET_FLOW_CNTL);
	serial_out(info, UART_ESI_CMD2, 0x13);
	restore_flags(flags);
}

static void rs_unthrottle(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_SET_FLOW_OUT);
	serial_out(info, UART_ESI_CMD2, 0x14);
	restore_flags(flags);
}

static void rs_break_on(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_ISSUE_BREAK);
	serial_out(info, UART_ESI_CMD2, 0x15);
	restore_flags(flags);
}

static void rs_break_off(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_CLEAR_BREAK);
	serial_out(info, UART_ESI_CMD2, 0x16);
	restore_flags(flags);
}

static void rs_flush_output(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_NO_COMMAND);
	serial_out(info, UART_ESI_CMD2, 0x17);
	restore_flags(flags);
}

static void rs_set_trigger(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_SET_TRIGGER);
	serial_out(info, UART_ESI_CMD2, 0x18);
	restore_flags(flags);
}

static void rs_set_timeout(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_SET_RX_TIMEOUT);
	serial_out(info, UART_ESI_CMD2, 0x19);
	restore_flags(flags);
}

static void rs_read_status(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	serial_out(info, UART_ESI_CMD1, ESI_GET_UART_STAT);
	serial_out(info, UART_ESI_CMD2, 0x1a);
	restore_flags(flags);
}

static void rs_stop(struct esp_struct *info)
{
	cli();
	info->IER &= ~UART_IER_THRI;
	serial_out(info, UART_ESI_CMD1, ESI_SET_SRV_MASK);
	serial_out(info, UART_ESI_CMD2, info->IER);
	sti();
}

static void rs_start(struct esp_struct *info)
{
	cli();
	info->IER |= UART_IER_THRI;
	serial_out(info, UART_ESI_CMD1, ESI_SET_SRV_MASK);
	serial_out(info, UART_ESI_CMD2, info->IER);
	sti();
}

static void rs_stop_rx(struct esp_struct *info)
{
	cli();
	info->IER &= ~UART_IER_RDI;
	serial_out(info, UART_ESI_CMD1, ESI_SET_SRV_MASK);
	serial_out(info, UART_ESI_CMD2, info->IER);
	sti();
}

static void rs_stop_modem(struct esp_struct *info)
{
	cli();
	info->IER &= ~UART_IER_MSI;
	serial_out(info, UART_ESI_CMD1, ESI_SET_SRV_MASK);
	serial_out(info, UART_ESI_CMD2, info->IER);
	sti();
}

static void rs_start_modem(struct esp_struct *info)
{
	cli();
	info->IER |= UART_IER_MSI;
	serial_out(info, UART_ESI_CMD1, ESI_SET_SRV_MASK);
	serial_out(info, UART_ESI_CMD2, info->IER);
	sti();
}

static void rs_hangup(struct esp_struct *info)
{
	cli();
	info->IER &= ~UART_IER_RLSI;
	serial_out(info, UART_ESI_CMD1, ESI_SET_SRV_MASK);
	serial_out(info, UART_ESI_CMD2, info->IER);
	sti();
}

static void rs_wait_sent(struct esp_struct *info)
{
	unsigned long flags;
	save_flags(flags);
	cli();
	info->MCR = 0; /* NORACE */
	serial_out(info, UART_ESI_CMD1, ESI_SET_MODE); /* NORACE */
	restore_flags(flags);
}

static struct esp_operations rs_ops = {
	.shutdown = rs_shutdown,
	.startup = rs_startup,
	.change_speed = rs_change_speed,
	.throttle = rs_throttle,
	.unthrottle = rs_unthrottle,
	.break_on = rs_break_on,
	.break_off = rs_break_off,
	.flush_output = rs_flush_output,
	.set_trigger = rs_set_trigger,
	.set_timeout = rs_set_timeout,
	.read_status = rs_read_status,
	.stop = rs_stop,
	.start = rs_start,
	.stop_rx = rs_stop_rx,
	.stop_modem = rs_stop_modem,
	.start_modem = rs_start_modem,
	.hangup = rs_hangup,
	.wait_sent = rs_wait_sent,
};

void rs_register(void)
{
	esp_register(&rs_ops);
}
