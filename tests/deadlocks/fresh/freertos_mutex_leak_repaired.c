#include "FreeRTOS.h"
#include "semphr.h"
#include <string.h>

struct setting { char key[12]; int value; };

static SemaphoreHandle_t settings_mutex;
static struct setting settings[8];

BaseType_t settings_get(const char *key, int *out)
{
    if (xSemaphoreTake(settings_mutex, pdMS_TO_TICKS(100)) != pdTRUE)
        return pdFAIL;
    for (int i = 0; i < 8; i++) {
        if (strcmp(settings[i].key, key) == 0) {
            *out = settings[i].value;
            xSemaphoreGive(settings_mutex);
            return pdPASS;
        }
    }
    xSemaphoreGive(settings_mutex);
    return pdFAIL;
}

BaseType_t settings_set(int i, int v)
{
    if (xSemaphoreTake(settings_mutex, portMAX_DELAY) != pdTRUE)
        return pdFAIL;
    settings[i & 7].value = v;
    xSemaphoreGive(settings_mutex);
    return pdPASS;
}

void settings_init(void)
{
    settings_mutex = xSemaphoreCreateMutex();
    memset(settings, 0, sizeof(settings));
}
