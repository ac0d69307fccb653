#include "FreeRTOS.h"
#include "task.h"
#include "semphr.h"

typedef struct {
    float    fTemperature;
    float    fHumidity;
    uint32_t ulSamples;
} SensorData_t;

static SensorData_t xSensor;
static SemaphoreHandle_t xSensorMutex;

extern float fReadTemperature( void );
extern float fReadHumidity( void );
extern void vDisplay( float t, float h );

static void prvSensorTask( void *pvParameters )
{
    ( void ) pvParameters;
    for( ;; )
    {
        float t = fReadTemperature();
        float h = fReadHumidity();

        if( xSemaphoreTake( xSensorMutex, portMAX_DELAY ) == pdTRUE )
        {
            xSensor.fTemperature = t;
            xSensor.fHumidity = h;
            xSensor.ulSamples++;
            xSemaphoreGive( xSensorMutex );
        }
        vTaskDelay( pdMS_TO_TICKS( 100 ) );
    }
}

static void prvDisplayTask( void *pvParameters )
{
    ( void ) pvParameters;
    for( ;; )
    {
        float t, h;

        xSemaphoreTake( xSensorMutex, portMAX_DELAY );
        t = xSensor.fTemperature;
        h = xSensor.fHumidity;
        xSemaphoreGive( xSensorMutex );
        vDisplay( t, h );
        vTaskDelay( pdMS_TO_TICKS( 500 ) );
    }
}

static void prvCommandTask( void *pvParameters )
{
    ( void ) pvParameters;
    for( ;; )
    {
        ulTaskNotifyTake( pdTRUE, portMAX_DELAY );
        xSemaphoreTake( xSensorMutex, portMAX_DELAY );
        xSensor.ulSamples = 0; // NORACE
        xSemaphoreGive( xSensorMutex );
    }
}

int main( void )
{
    xSensorMutex = xSemaphoreCreateMutex();
    configASSERT( xSensorMutex );
    xTaskCreate( prvSensorTask, "sensor", 256, NULL, 3, NULL );
    xTaskCreate( prvDisplayTask, "display", 256, NULL, 2, NULL );
    xTaskCreate( prvCommandTask, "command", 128, NULL, 1, NULL );
    vTaskStartScheduler();
    for( ;; );
}
