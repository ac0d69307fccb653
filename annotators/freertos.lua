-- freertos: the FreeRTOS kernel, programs for it, and what ESP-IDF adds (critical sections with a spin lock of their own).
world {
    name = "freertos",
    detect = [[ xTaskCreate xTaskCreateStatic xTaskCreatePinnedToCore vTaskStartScheduler vTaskDelay taskENTER_CRITICAL
        taskEXIT_CRITICAL portENTER_CRITICAL portEXIT_CRITICAL vTaskSuspendAll xTaskResumeAll xSemaphoreTake xSemaphoreGive
        xSemaphoreGiveFromISR xSemaphoreCreateMutex xSemaphoreCreateBinary xQueueSend xQueueReceive xQueueSendFromISR
        xTimerCreate pvPortMalloc configASSERT ]],
    headers = "FreeRTOS.h freertos/FreeRTOS.h",
    least = 3,
}

-- interrupts and the scheduler ---------------------------------------------------
-- A critical section keeps interrupts out, and with them all other tasks: whoever has suspended the scheduler is safe
-- from it, too. It nests. Nobody waits for it, hence `timed`.
local enter = [[ taskENTER_CRITICAL portENTER_CRITICAL portENTER_CRITICAL_SAFE taskENTER_CRITICAL_ISR portENTER_CRITICAL_ISR
    vPortEnterCritical vTaskEnterCritical ]]
local leave = [[ taskEXIT_CRITICAL portEXIT_CRITICAL portEXIT_CRITICAL_SAFE taskEXIT_CRITICAL_ISR portEXIT_CRITICAL_ISR
    vPortExitCritical vTaskExitCritical ]]
lock { kind = "interrupts", everywhere = true, recursive = true, acquire = enter, release = leave }
lock { kind = "spin", global = "scheduler", recursive = true, timed = true, acquire = enter, release = leave }
lock { kind = "spin", arg = 1, recursive = true, types = "portMUX_TYPE spinlock_t", -- ESP-IDF; elsewhere there is no argument
    acquire = enter, release = leave, init = "portMUX_INITIALIZE spinlock_initialize vPortCPUInitializeMutex" }
lock { kind = "spin", arg = 1, returns = "nonzero", timed = true, acquire = "portTRY_ENTER_CRITICAL spinlock_acquire",
    release = "spinlock_release" }
lock { kind = "interrupts", everywhere = true, flags = "result",
    acquire = [[ taskENTER_CRITICAL_FROM_ISR portENTER_CRITICAL_FROM_ISR vTaskEnterCriticalFromISR portSET_INTERRUPT_MASK_FROM_ISR
        portSET_INTERRUPT_MASK ulSetInterruptMask ulPortSetInterruptMask uxPortSetInterruptMask uxPortSetInterruptMaskFromISR
        xPortSetInterruptMask ulSetInterruptMaskFromISR ulPortRaiseBASEPRI xPortEnterCriticalTimeout ]] }
lock { kind = "interrupts", everywhere = true, flags = 1,
    release = [[ taskEXIT_CRITICAL_FROM_ISR portEXIT_CRITICAL_FROM_ISR vTaskExitCriticalFromISR portCLEAR_INTERRUPT_MASK_FROM_ISR
        portCLEAR_INTERRUPT_MASK vClearInterruptMask vPortClearInterruptMask vPortClearInterruptMaskFromISR
        vClearInterruptMaskFromISR vPortSetBASEPRI ]] }
lock { kind = "interrupts", everywhere = true,
    acquire = [[ portDISABLE_INTERRUPTS taskDISABLE_INTERRUPTS vPortDisableInterrupts vPortRaiseBASEPRI __disable_irq
        __disable_interrupt portCPU_IRQ_DISABLE ]],
    release = [[ portENABLE_INTERRUPTS taskENABLE_INTERRUPTS vPortEnableInterrupts __enable_irq __enable_interrupt
        portCPU_IRQ_ENABLE ]] }
-- Other tasks wait, handlers do not. It counts.
lock { kind = "spin", global = "scheduler", recursive = true, timed = true, acquire = "vTaskSuspendAll", release = "xTaskResumeAll" }
lock { kind = "spin", global = "task lock", recursive = true, acquire = "portGET_TASK_LOCK", release = "portRELEASE_TASK_LOCK" }
lock { kind = "spin", global = "ISR lock", recursive = true, acquire = "portGET_ISR_LOCK", release = "portRELEASE_ISR_LOCK" }

-- semaphores ----------------------------------------------------------------------
-- Mutexes and binary semaphores have the same functions: how they are used tells which they are. The second argument is
-- how many ticks to wait.
local take = "xSemaphoreTake xQueueSemaphoreTake"
lock { kind = "semaphore", arg = 1, returns = "nonzero", acquire = take, when = { 2, "^(portMAX_DELAY|osWaitForever)$" } }
lock { kind = "semaphore", arg = 1, returns = "nonzero", try = take, when = { 2, 0 } }
lock { kind = "semaphore", arg = 1, returns = "nonzero", timed = true, acquire = take,
    when = { 2, "!^(portMAX_DELAY|osWaitForever)$", "!^0$" } }
lock { kind = "semaphore", arg = 1, try = "xSemaphoreTakeFromISR",
    release = "xSemaphoreGive xSemaphoreGiveFromISR xQueueGiveFromISR", destroy = "vSemaphoreDelete" }
local take_again = "xSemaphoreTakeRecursive xQueueTakeMutexRecursive"
lock { kind = "mutex", arg = 1, recursive = true, returns = "nonzero", acquire = take_again, when = { 2, "!^0$" },
    release = "xSemaphoreGiveRecursive xQueueGiveMutexRecursive" }
lock { kind = "mutex", arg = 1, recursive = true, try = take_again, when = { 2, 0 } }
-- CMSIS-RTOS on top of it, where it is not in the tree.
lock { kind = "mutex", arg = 1, returns = "zero", recursive = true, acquire = "osMutexAcquire osMutexWait",
    release = "osMutexRelease", when = { 2, "!^0$" } }
lock { kind = "mutex", arg = 1, returns = "zero", recursive = true, try = "osMutexAcquire osMutexWait", when = { 2, 0 } }
lock { kind = "semaphore", arg = 1, returns = "zero", acquire = "osSemaphoreAcquire", release = "osSemaphoreRelease" }

-- waiting: not when there are no ticks to wait -------------------------------------------
blocks "vTaskDelay vTaskDelayUntil xTaskDelayUntil osDelay"
for argument, names in ipairs {
    "",
    [[ ulTaskNotifyTake xQueueSelectFromSet xTimerStart xTimerStop xTimerReset xTimerDelete ]],
    [[ xQueueSend xQueueSendToBack xQueueSendToFront xQueueReceive xQueuePeek ulTaskNotifyTakeIndexed xTimerChangePeriod ]],
    [[ xTaskNotifyWait xQueueGenericSend xStreamBufferSend xStreamBufferReceive xMessageBufferSend xMessageBufferReceive
       xEventGroupSync xTimerPendFunctionCall ]],
    "xEventGroupWaitBits xTaskNotifyWaitIndexed",
} do
    if names ~= "" then
        blocks { names, when = { argument, "!^0$" } }
    end
end

-- what runs by itself -----------------------------------------------------------------
registers { "xTaskCreate xTaskCreatePinnedToCore xTaskCreateAffinitySet", arg = 1, data = 4, object = 6, context = "thread" }
registers { "xTaskCreateStatic xTaskCreateStaticPinnedToCore xTaskCreateStaticAffinitySet", arg = 1, data = 4, object = "result",
    context = "thread" }
registers { "osThreadNew", arg = 1, data = 2, object = "result", context = "thread" }
registers { field = "TaskParameters_t.pvTaskCode", context = "thread" }
registers { field = "struct xTASK_PARAMETERS.pvTaskCode", context = "thread" }
-- Timers are served by one task, which also does what handlers put off.
registers { "xTimerCreate xTimerCreateStatic", arg = 5, context = "work" }
registers { "xTimerPendFunctionCall xTimerPendFunctionCallFromISR", arg = 1, data = 2, context = "work" }
registers { "osTimerNew", arg = 1, data = 3, context = "work" }
registers { "xPortInstallInterruptHandler gpio_isr_handler_add", arg = 2, data = 3, context = "interrupt" }
registers { "esp_intr_alloc", arg = 3, data = 4, context = "interrupt" }
registers { "gpio_isr_register", arg = 1, data = 2, context = "interrupt" }

noreturn "vTaskStartScheduler osKernelStart vAssertCalled"
asserts "configASSERT"
allocates "pvPortMalloc pvPortCalloc pvPortMallocStack"
frees "vPortFree vPortFreeStack"
percpu "pvTaskGetThreadLocalStoragePointer pxCurrentTCB" -- every task sees its own
atomic { "^Atomic_(CompareAndSwap|Swap|Add|Subtract|Increment|Decrement|OR|AND|NAND|XOR)", arg = 1 }
constant { pdTRUE = 1, pdFALSE = 0, pdPASS = 1, pdFAIL = 0, osOK = 0 }
attribute { "IRAM_ATTR DRAM_ATTR RTC_DATA_ATTR PRIVILEGED_FUNCTION PRIVILEGED_DATA FREERTOS_SYSTEM_CALL" }
keep "^(ESP_LOG[EWIDV]|ESP_EARLY_LOG[EWIDV]|trace[A-Z_]+|mtCOVERAGE_TEST_\\w+|configPRINTF|configPRINT_STRING)$"

annotate(function(program)
    mark("^(main|vTaskStartScheduler)$", "init") -- no task runs before the scheduler does
    mark("^(vPort|vTask)(Enter|Exit)Critical(FromISR)?$", "ignore") -- these are the locks
    -- Vectors, by CMSIS's convention; what has parameters is called by one.
    for f in program:functions "_(IRQHandler|ISR)$" do
        local given = f:parameters()
        if #given == 0 or given[1] == "void" then
            mark(f, "interrupt")
        end
    end
    never_parallel("^prvTimerTask$", "^prvTimerTask$") -- there is one
    mark("^vApplicationTickHook$", "interrupt")
    mark("^(vApplicationIdleHook|vApplicationDaemonTaskStartupHook)$", "multithreaded")
end)
