-- windows: Win32 threads, and what drivers use instead.
world {
    name = "windows",
    detect = [[ EnterCriticalSection LeaveCriticalSection InitializeCriticalSection DeleteCriticalSection TryEnterCriticalSection
        AcquireSRWLockExclusive ReleaseSRWLockExclusive AcquireSRWLockShared WaitForSingleObject WaitForMultipleObjects CreateThread
        _beginthreadex ReleaseMutex CreateMutexW CreateMutexA CreateEventW CreateEventA CreateEvent SetEvent CloseHandle InterlockedIncrement
        InterlockedDecrement SleepConditionVariableCS KeAcquireSpinLock KeReleaseSpinLock KeWaitForSingleObject
        ExAcquireFastMutex ExReleaseFastMutex KeInitializeSpinLock IoConnectInterrupt IoCompleteRequest ]],
    headers = "windows.h Windows.h wdm.h ntddk.h",
    least = 3,
    unless = "pthreads glib apr linux nuttx zephyr freertos rtthread", -- a portable tree is read as on Linux
}
define { _WIN32 = 1, WIN32 = 1, _WIN32_WINNT = 0x0A00 }

-- programs --------------------------------------------------------------------------
-- A critical section nests.
lock { kind = "mutex", arg = 1, recursive = true, types = "CRITICAL_SECTION RTL_CRITICAL_SECTION struct _RTL_CRITICAL_SECTION",
    acquire = "EnterCriticalSection RtlEnterCriticalSection", try = "TryEnterCriticalSection RtlTryEnterCriticalSection",
    release = "LeaveCriticalSection RtlLeaveCriticalSection",
    init = [[ InitializeCriticalSection InitializeCriticalSectionAndSpinCount InitializeCriticalSectionEx RtlInitializeCriticalSection ]],
    destroy = "DeleteCriticalSection RtlDeleteCriticalSection" }
lock { kind = "mutex", arg = 1, types = "SRWLOCK RTL_SRWLOCK struct _RTL_SRWLOCK", acquire = "AcquireSRWLockExclusive",
    try = "TryAcquireSRWLockExclusive", release = "ReleaseSRWLockExclusive", init = "InitializeSRWLock" }
lock { kind = "mutex", arg = 1, shared = true, acquire = "AcquireSRWLockShared", try = "TryAcquireSRWLockShared", release = "ReleaseSRWLockShared" }
lock { kind = "mutex", arg = 2, wait = "SleepConditionVariableCS SleepConditionVariableSRW" }
-- A handle may be a mutex, a semaphore, an event or a thread: how it behaves says whether it is a lock. 0 is WAIT_OBJECT_0; the
-- second argument is how long to wait.
local waits = "WaitForSingleObject WaitForSingleObjectEx"
lock { kind = "semaphore", arg = 1, returns = "zero", acquire = waits, when = { 2, "INFINITE" } }
lock { kind = "semaphore", arg = 1, returns = "zero", try = waits, when = { 2, 0 } }
lock { kind = "semaphore", arg = 1, returns = "zero", timed = true, acquire = waits, when = { 2, "!INFINITE", "!^0$" } }
lock { kind = "semaphore", arg = 1, release = "ReleaseMutex ReleaseSemaphore SetEvent" }
blocks [[ Sleep SleepEx WaitForMultipleObjects WaitForMultipleObjectsEx MsgWaitForMultipleObjects WaitOnAddress SleepConditionVariableCS
    SleepConditionVariableSRW GetQueuedCompletionStatus ReadFile WriteFile FlushFileBuffers GetOverlappedResult WSARecv WSASend
    ConnectNamedPipe GetMessageA GetMessageW GetMessage SendMessageA SendMessageW SendMessage WaitForThreadpoolTimerCallbacks
    WaitForThreadpoolWorkCallbacks ]]
registers { "CreateThread", arg = 3, data = 4, object = "result", context = "thread" }
registers { "CreateRemoteThread", arg = 4, data = 5, object = "result", context = "thread" }
registers { "_beginthreadex", arg = 3, data = 4, object = "result", context = "thread" }
registers { "_beginthread", arg = 1, data = 3, object = "result", context = "thread" }
registers { "QueueUserWorkItem", arg = 1, data = 2, context = "thread" }
registers { "TrySubmitThreadpoolCallback", arg = 1, data = 2, parameter = 2, context = "thread" }
registers { "CreateThreadpoolWork CreateThreadpoolTimer CreateThreadpoolWait", arg = 1, data = 2, parameter = 2, object = "result", context = "thread" }
registers { "CreateTimerQueueTimer", arg = 3, data = 4, object = 1, context = "thread" }
registers { "RegisterWaitForSingleObject", arg = 3, data = 4, object = 1, context = "thread" }
registers { "timeSetEvent", arg = 3, context = "thread" }
registers { "QueueUserAPC", arg = 1, data = 3, context = "call" }
registers { "SetConsoleCtrlHandler", arg = 1, context = "thread" }
registers { "InitOnceExecuteOnce", arg = 2, context = "once" }
joins { "WaitForSingleObject WaitForSingleObjectEx", arg = 1, context = "thread" }
joins { "WaitForThreadpoolWorkCallbacks WaitForThreadpoolTimerCallbacks CloseThreadpoolWork", arg = 1, context = "thread" }
noreturn "ExitThread ExitProcess _endthread _endthreadex FatalExit RaiseFailFastException __fastfail FatalAppExitA FatalAppExitW"
percpu "TlsGetValue FlsGetValue GetLastError GetCurrentThreadId GetCurrentThread"
allocates [[ HeapAlloc HeapReAlloc LocalAlloc GlobalAlloc VirtualAlloc CoTaskMemAlloc SysAllocString _aligned_malloc _strdup _wcsdup ]]
frees "LocalFree GlobalFree CoTaskMemFree _aligned_free"
frees { "HeapFree", arg = 3 }

-- drivers ---------------------------------------------------------------------------
-- A spin lock raises the IRQL to DISPATCH_LEVEL: no DPC, no other thread on this CPU; interrupts stay on.
lock { kind = "spin", arg = 1, disables = "softirqs preemption", flags = 2, types = "KSPIN_LOCK", acquire = "KeAcquireSpinLock ExAcquireSpinLock",
    release = "KeReleaseSpinLock ExReleaseSpinLock", init = "KeInitializeSpinLock ExInitializeSpinLock" }
lock { kind = "spin", arg = 1, disables = "softirqs preemption", flags = "result", acquire = "KeAcquireSpinLockRaiseToDpc KfAcquireSpinLock" }
lock { kind = "spin", arg = 1, disables = "softirqs preemption", release = "KfReleaseSpinLock" }
lock { kind = "spin", arg = 1, acquire = "KeAcquireSpinLockAtDpcLevel", try = "KeTryToAcquireSpinLockAtDpcLevel", release = "KeReleaseSpinLockFromDpcLevel" }
-- The handle says which; it is on the stack, and the lock is not told again.
lock { kind = "spin", arg = 1, disables = "softirqs preemption", acquire = "NdisAcquireSpinLock WdfSpinLockAcquire", release = "NdisReleaseSpinLock WdfSpinLockRelease",
    init = "NdisAllocateSpinLock" }
lock { kind = "spin", arg = 1, acquire = "NdisDprAcquireSpinLock", release = "NdisDprReleaseSpinLock" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = "result", acquire = "KeAcquireInterruptSpinLock" }
lock { kind = "spin", arg = 1, disables = "interrupts", flags = 2, release = "KeReleaseInterruptSpinLock" }
lock { kind = "softirqs", flags = 2, acquire = "KeRaiseIrql" }
lock { kind = "softirqs", flags = 1, release = "KeLowerIrql" }
lock { kind = "mutex", arg = 1, types = "FAST_MUTEX KGUARDED_MUTEX KMUTEX EX_PUSH_LOCK ERESOURCE",
    acquire = "ExAcquireFastMutex ExAcquireFastMutexUnsafe KeAcquireGuardedMutex KeAcquireGuardedMutexUnsafe WdfWaitLockAcquire",
    try = "ExTryToAcquireFastMutex KeTryToAcquireGuardedMutex",
    release = "ExReleaseFastMutex ExReleaseFastMutexUnsafe KeReleaseGuardedMutex KeReleaseGuardedMutexUnsafe WdfWaitLockRelease",
    init = "ExInitializeFastMutex KeInitializeGuardedMutex KeInitializeMutex ExInitializePushLock ExInitializeResourceLite" }
lock { kind = "mutex", arg = 1, acquire = "FltAcquirePushLockExclusive", release = "FltReleasePushLock" }
lock { kind = "mutex", arg = 1, shared = true, acquire = "FltAcquirePushLockShared" }
-- With FALSE as the second argument it does not wait.
lock { kind = "mutex", arg = 1, recursive = true, returns = "nonzero", acquire = "ExAcquireResourceExclusiveLite",
    release = "ExReleaseResourceLite ExReleaseResourceAndLeaveCriticalRegion" }
lock { kind = "mutex", arg = 1, recursive = true, shared = true, returns = "nonzero", acquire = "ExAcquireResourceSharedLite ExAcquireSharedStarveExclusive" }
lock { kind = "mutex", arg = 1, recursive = true, acquire = "ExEnterCriticalRegionAndAcquireResourceExclusive" }
lock { kind = "mutex", arg = 1, recursive = true, shared = true, acquire = "ExEnterCriticalRegionAndAcquireResourceShared" }
lock { kind = "semaphore", arg = 1, returns = "zero", acquire = "KeWaitForSingleObject KeWaitForMutexObject",
    release = "KeReleaseMutex KeReleaseSemaphore KeSetEvent" }
blocks "KeDelayExecutionThread KeWaitForMultipleObjects ZwWaitForSingleObject ZwReadFile ZwWriteFile ZwCreateFile IoCallDriverSynchronously KeFlushQueuedDpcs"
allocates "ExAllocatePool ExAllocatePoolWithTag ExAllocatePool2 ExAllocatePoolZero ExAllocatePoolWithQuotaTag MmAllocateNonCachedMemory"
frees "ExFreePool ExFreePoolWithTag"
registers { "PsCreateSystemThread", arg = 6, data = 7, object = 1, context = "thread" }
registers { "KeInitializeDpc KeInitializeThreadedDpc", arg = 2, data = 3, parameter = 2, object = 1, context = "softirq" }
registers { "IoInitializeDpcRequest", arg = 2, context = "softirq" }
registers { "IoConnectInterrupt", arg = 2, data = 3, parameter = 2, object = 1, context = "interrupt" }
registers { "IoQueueWorkItem", arg = 2, data = 4, parameter = 2, object = 1, context = "work" }
registers { "ExInitializeWorkItem", arg = 2, data = 3, object = 1, context = "work" }
registers { "IoSetCompletionRoutine", arg = 2, data = 3, parameter = 3, context = "softirq" }
registers { "KeSynchronizeExecution", arg = 2, data = 3, context = "call" }
registers { field = "struct _DRIVER_OBJECT.MajorFunction", context = "syscall" }
registers { field = "struct _DRIVER_OBJECT.DriverUnload", context = "exit" }
registers { field = "DRIVER_OBJECT.MajorFunction", context = "syscall" }
noreturn "KeBugCheck KeBugCheckEx PsTerminateSystemThread"
asserts "ASSERT NT_ASSERT _ASSERTE _ASSERT"

-- the rest --------------------------------------------------------------------------
atomic { "^_?Interlocked(Increment|Decrement|Exchange|ExchangeAdd|ExchangePointer|CompareExchange|CompareExchangePointer|And|Or|Xor|BitTestAndSet|BitTestAndReset|Add)(16|64|Acquire|Release|NoFence|64Acquire)?$", arg = 1 }
atomic { "InterlockedPushEntrySList InterlockedPopEntrySList InterlockedFlushSList ExInterlockedInsertTailList ExInterlockedRemoveHeadList", arg = 1 }
atomic { "ReadAcquire ReadNoFence ReadULongAcquire ReadPointerAcquire ReadPointerNoFence", arg = 1, access = "read" }
atomic { "WriteRelease WriteNoFence WritePointerRelease", arg = 1, access = "write" }
container "CONTAINING_RECORD"
constant { TRUE = 1, FALSE = 0, STATUS_SUCCESS = 0, WAIT_OBJECT_0 = 0, WAIT_ABANDONED = 128, WAIT_TIMEOUT = 258, WAIT_FAILED = -1, ERROR_SUCCESS = 0 }
attribute [[ WINAPI APIENTRY CALLBACK NTAPI PASCAL STDAPICALLTYPE WINAPIV IN OUT OPTIONAL _Use_decl_annotations_ PAGED_CODE UNREFERENCED_PARAMETER
    ^_(In|Out|Inout|Ret|Outptr|Pre|Post|Requires|Acquires|Releases|Guarded|IRQL|Function|When|Must|Success|Field|Dispatch|Deref)_(\w*)$ ^__(in|out|inout)(_\w+)?$ ]]
