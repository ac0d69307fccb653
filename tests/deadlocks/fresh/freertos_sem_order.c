#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

static SemaphoreHandle_t xI2C, xDisplay;
static volatile int temperature, drawn;

static void prvDraw(int t)
{
    if (xSemaphoreTake(xDisplay, portMAX_DELAY) == pdTRUE) { /* DEADLOCK */
        drawn = t;
        xSemaphoreGive(xDisplay);
    }
}

static void vSensorTask(void *pv)
{
    (void)pv;
    for (;;) {
        xSemaphoreTake(xI2C, portMAX_DELAY);
        temperature++;
        prvDraw(temperature);
        xSemaphoreGive(xI2C);
        vTaskDelay(pdMS_TO_TICKS(50));
    }
}

static void vBacklightTask(void *pv)
{
    (void)pv;
    for (;;) {
        xSemaphoreTake(xDisplay, portMAX_DELAY);
        drawn = 0;
        /* the dimmer sits on the same bus as the sensor */
        xSemaphoreTake(xI2C, portMAX_DELAY); /* DEADLOCK */
        temperature = 20;
        xSemaphoreGive(xI2C);
        xSemaphoreGive(xDisplay);
        vTaskDelay(pdMS_TO_TICKS(500));
    }
}

int main(void)
{
    xI2C = xSemaphoreCreateMutex();
    xDisplay = xSemaphoreCreateMutex();
    if (xI2C == NULL || xDisplay == NULL)
        return 1;
    xTaskCreate(vSensorTask, "sensor", 256, NULL, 2, NULL);
    xTaskCreate(vBacklightTask, "light", 256, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
