/* The kernel's one lock, and what goes without it. */
#include <config.h>
#include <smp/lock.h>
#include <model/statedata.h>
#include <kernel/thread.h>

static word_t syscalls, spurious, faults;

static void schedule(void) { rescheduleRequired(); }

void VISIBLE NORETURN c_handle_syscall(word_t cptr, word_t msgInfo, syscall_t syscall)
{
    NODE_LOCK_SYS;
    syscalls++; /* NORACE */
    schedule();
    NODE_UNLOCK;
    restore_user_context();
}

void VISIBLE NORETURN c_handle_interrupt(void)
{
    NODE_LOCK_IRQ_IF(getActiveIRQ() != irqInvalid);
    NODE_UNLOCK_IF_HELD;
    restore_user_context();
}

void VISIBLE NORETURN c_handle_undefined_instruction(void)
{
    NODE_LOCK_SYS;
    syscalls = 0; /* NORACE */
    faults++;
    NODE_UNLOCK;
    restore_user_context();
}

void VISIBLE NORETURN c_handle_data_fault(void)
{
    faults = 0; /* RACE */
    NODE_LOCK_SYS;
    faults++;
    NODE_LOCK_SYS; /* DOUBLE-LOCK */
    faults--;
    NODE_UNLOCK;
    restore_user_context();
}

BOOT_CODE bool_t init_kernel(void)
{
    clh_lock_init();
    faults = syscalls = spurious = 0; /* NORACE */
    setThreadState(NODE_STATE(ksIdleThread), ThreadState_IdleThreadState);
    return 1;
}
