#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

static SemaphoreHandle_t xRing;
static uint8_t ucHead;

static void prvStore(uint8_t b)
{
    xSemaphoreTake(xRing, portMAX_DELAY);
    ucHead = b;
    xSemaphoreGive(xRing);
}

void vUartTask(void *pv)
{
    for (;;) {
        prvStore(1);
        vTaskSuspendAll();
        ucHead = 2;
        xTaskResumeAll();
        vTaskDelay(5);
    }
}

void vStart(void)
{
    xRing = xSemaphoreCreateMutex();
    xTaskCreate(vUartTask, "uart", 128, NULL, 1, NULL);
}
