#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"

static QueueHandle_t xEvents;
static uint32_t ulPulses, ulLost;

static void prvReport(uint32_t n)
{
    if (xQueueSend(xEvents, &n, 0) != pdPASS)
        ulLost++;
}

static void prvFlushPulses(void)
{
    taskENTER_CRITICAL();
    if (ulPulses) {
        prvReport(ulPulses);
        ulPulses = 0;
    }
    taskEXIT_CRITICAL();
}

static void vPulseTask(void *pv)
{
    (void)pv;
    for (;;) {
        prvFlushPulses();
        vTaskDelay(100);
    }
}

void vStartPulse(void)
{
    xEvents = xQueueCreate(8, sizeof(uint32_t));
    xTaskCreate(vPulseTask, "pulse", 128, NULL, 3, NULL);
}
