#include "FreeRTOS.h"
#include "task.h"
#include "queue.h"

#define RX_BUF 64

static volatile uint8_t ucRx[ RX_BUF ];
static volatile uint32_t ulRxCount;
static volatile uint32_t ulErrors;

extern uint8_t ucUartData( void );
extern int xUartError( void );
extern void vHandleByte( uint8_t );

void UART0_IRQHandler( void )
{
    UBaseType_t uxSaved = taskENTER_CRITICAL_FROM_ISR();
    if( xUartError() )
    {
        ulErrors++;
    }
    else if( ulRxCount < RX_BUF )
    {
        ucRx[ ulRxCount++ ] = ucUartData();
    }
    taskEXIT_CRITICAL_FROM_ISR( uxSaved );
}

static void vCommsTask( void *pvArg )
{
    uint8_t local[ RX_BUF ];
    uint32_t n, i;

    ( void ) pvArg;
    for( ;; )
    {
        taskENTER_CRITICAL();
        n = ulRxCount;
        for( i = 0; i < n; i++ )
        {
            local[ i ] = ucRx[ i ];
        }
        ulRxCount = 0;
        taskEXIT_CRITICAL();
        for( i = 0; i < n; i++ )
        {
            vHandleByte( local[ i ] );
        }
        vTaskDelay( 1 );
    }
}

static void vResetTask( void *pvArg )
{
    ( void ) pvArg;
    for( ;; )
    {
        vTaskDelay( 1000 );
        taskENTER_CRITICAL();
        ulErrors = 0;
        ulRxCount = 0; // NORACE
        taskEXIT_CRITICAL();
    }
}

void vCommsStart( void )
{
    xTaskCreate( vCommsTask, "comms", 200, NULL, 4, NULL );
    xTaskCreate( vResetTask, "reset", 100, NULL, 1, NULL );
}
