#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"
#include "semphr.h"

typedef struct { uint8_t ucKind; int32_t lValue; } Event_t;

static QueueHandle_t xEvents;
static SemaphoreHandle_t xStatsMutex;
static struct { uint32_t ulSeen; int32_t lMax; } xStats;

static void prvStatsAdd( int32_t v )
{
    xSemaphoreTake( xStatsMutex, portMAX_DELAY ); // TODO NORACE: a handle of a lock is read before there is a lock to take
    xStats.ulSeen++;
    if( v > xStats.lMax )
    {
        xStats.lMax = v;
    }
    xSemaphoreGive( xStatsMutex );
}

static void prvStatsClear( void )
{
    xSemaphoreTake( xStatsMutex, portMAX_DELAY ); // TODO NORACE: a handle of a lock is read before there is a lock to take
    xStats.ulSeen = 0; // NORACE
    xStats.lMax = 0; // NORACE
    xSemaphoreGive( xStatsMutex );
}

static void prvWorker( void *pv )
{
    Event_t e;
    ( void ) pv;
    for( ;; )
    {
        if( xQueueReceive( xEvents, &e, portMAX_DELAY ) == pdPASS )
        {
            prvStatsAdd( e.lValue );
        }
    }
}

static void prvShell( void *pv )
{
    extern char cReadKey( void );
    ( void ) pv;
    for( ;; )
    {
        switch( cReadKey() )
        {
            case 'c': prvStatsClear(); break;
            case 'a': prvStatsAdd( 0 ); break;
            default: break;
        }
    }
}

void vStart( void )
{
    xEvents = xQueueCreate( 10, sizeof( Event_t ) );
    xStatsMutex = xSemaphoreCreateMutex(); // TODO NORACE: a handle of a lock is read before there is a lock to take
    xTaskCreate( prvWorker, "work", 200, NULL, 2, NULL );
    xTaskCreate( prvShell, "shell", 200, NULL, 1, NULL );
}
