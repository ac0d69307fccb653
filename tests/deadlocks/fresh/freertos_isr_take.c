#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

static SemaphoreHandle_t xRing;
static uint8_t ucHead;

static void prvStore(uint8_t b)
{
    xSemaphoreTake(xRing, portMAX_DELAY); /* SLEEP */
    ucHead = b;
    xSemaphoreGive(xRing);
}

void vUartTask(void *pv)
{
    for (;;) {
        prvStore(1);
        vTaskSuspendAll();
        prvStore(2);
        vTaskDelay(5); /* SLEEP */
        xTaskResumeAll();
    }
}

void vStart(void)
{
    xRing = xSemaphoreCreateMutex();
    xTaskCreate(vUartTask, "uart", 128, NULL, 1, NULL);
}
