// A logger with two tasks, a timer and a handler: the locks of this kernel, right and wrong.
#include "FreeRTOS.h"
#include "task.h"
#include "semphr.h"
#include "queue.h"
#include "timers.h"

static SemaphoreHandle_t port_mutex, card_mutex, bus_mutex, rx_ready;
static QueueHandle_t lines;
static int written, dropped, received, overruns, beats, misses, suspended, opened, level, depth;

// The handler and the task both count; the task keeps interrupts out.
void USART1_IRQHandler(void)
{
	BaseType_t woken = pdFALSE;
	received++; /* NORACE */
	overruns++; /* RACE@overruns */
	xSemaphoreGiveFromISR(rx_ready, &woken);
	portYIELD_FROM_ISR(woken);
}

static void reader_task(void *argument)
{
	(void)argument;
	for (;;) {
		xSemaphoreTake(rx_ready, portMAX_DELAY);
		taskENTER_CRITICAL();
		received--; /* NORACE */
		taskEXIT_CRITICAL();
		overruns = overruns - 1; /* RACE@overruns */
	}
}

// One mutex for `written`, which the timer goes without.
static void writer_task(void *argument)
{
	(void)argument;
	for (;;) {
		if (xSemaphoreTake(port_mutex, portMAX_DELAY) == pdTRUE) {
			written++; /* RACE@written */
			dropped++; /* NORACE */
			xSemaphoreGive(port_mutex);
		}
		if (xSemaphoreTake(port_mutex, pdMS_TO_TICKS(10)) != pdTRUE)
			continue;
		dropped--; /* NORACE */
		xSemaphoreGive(port_mutex); /* NOUNHELD */
		vTaskDelay(10);
	}
}

static void beat(TimerHandle_t timer)
{
	(void)timer;
	written = 0; /* RACE@written */
	if (xSemaphoreTake(port_mutex, 0) == pdTRUE) {
		dropped = 0; /* NORACE */
		xSemaphoreGive(port_mutex);
	}
}

// Whoever has suspended the scheduler, or is in a critical section, is alone among tasks.
static void first_task(void *argument)
{
	(void)argument;
	vTaskSuspendAll();
	suspended++; /* NORACE */
	xTaskResumeAll();
	xSemaphoreTakeRecursive(bus_mutex, portMAX_DELAY);
	xSemaphoreTakeRecursive(bus_mutex, portMAX_DELAY); /* NODOUBLE-LOCK */
	depth++; /* NORACE */
	xSemaphoreGiveRecursive(bus_mutex);
	xSemaphoreGiveRecursive(bus_mutex);
	xSemaphoreTake(port_mutex, portMAX_DELAY);
	xSemaphoreTake(card_mutex, portMAX_DELAY); /* DEADLOCK@orders */
	opened++;
	xSemaphoreGive(card_mutex);
	xSemaphoreGive(port_mutex);
	vTaskDelete(NULL);
}

static void second_task(void *argument)
{
	UBaseType_t mask;
	(void)argument;
	taskENTER_CRITICAL();
	suspended = 0; /* NORACE */
	taskEXIT_CRITICAL();
	xSemaphoreTakeRecursive(bus_mutex, portMAX_DELAY);
	depth = 0; /* NORACE */
	xSemaphoreGiveRecursive(bus_mutex);
	xSemaphoreTake(card_mutex, portMAX_DELAY);
	xSemaphoreTake(port_mutex, portMAX_DELAY); /* DEADLOCK@orders */
	opened--;
	xSemaphoreGive(port_mutex);
	xSemaphoreGive(card_mutex);
	mask = portSET_INTERRUPT_MASK_FROM_ISR();
	beats++;
	portCLEAR_INTERRUPT_MASK_FROM_ISR(mask);
	vTaskDelete(NULL);
}

// Nothing that waits in a critical section, nor with the scheduler suspended.
void level_set(int value)
{
	taskENTER_CRITICAL();
	xQueueSend(lines, &value, portMAX_DELAY); /* SLEEP */
	level = value;
	taskEXIT_CRITICAL();
}

void level_try(int value)
{
	vTaskSuspendAll();
	xQueueSend(lines, &value, 0); /* NOSLEEP */
	level = value;
	xTaskResumeAll();
	xQueueSend(lines, &value, portMAX_DELAY); /* NOSLEEP */
}

int level_get(int most)
{
	taskENTER_CRITICAL();
	if (level > most)
		return -1; /* LEAK */
	most = level;
	taskEXIT_CRITICAL();
	return most;
}

int main(void)
{
	port_mutex = xSemaphoreCreateMutex();
	card_mutex = xSemaphoreCreateMutex();
	bus_mutex = xSemaphoreCreateRecursiveMutex();
	rx_ready = xSemaphoreCreateBinary();
	lines = xQueueCreate(8, sizeof(int));
	written = dropped = suspended = depth = 0; /* NORACE */
	xTaskCreate(reader_task, "reader", 128, NULL, 2, NULL);
	xTaskCreate(writer_task, "writer", 128, NULL, 2, NULL);
	xTaskCreate(first_task, "first", 128, NULL, 2, NULL);
	xTaskCreateStatic(second_task, "second", 128, NULL, 2, NULL, NULL);
	xTimerStart(xTimerCreate("beat", 100, pdTRUE, NULL, beat), 0);
	vTaskStartScheduler();
	for (;;)
		misses++;
}
