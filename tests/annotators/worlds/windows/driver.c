/* A driver: spin locks at DISPATCH_LEVEL, fast mutexes, resources, interrupts and DPCs. */
#include <ntddk.h>

typedef struct _DEVICE {
    KSPIN_LOCK Lock, RingLock;
    FAST_MUTEX Mutex;
    ERESOURCE Table;
    KDPC Dpc;
    PKINTERRUPT Interrupt;
    KEVENT Done;
    int Pending, Packets, Users, Entries;
} DEVICE, *PDEVICE;

static KSPIN_LOCK GlobalLock, OtherLock;
static FAST_MUTEX ListMutex;
static ERESOURCE NameTable;
static int Devices, Names, Requests, Sent;

VOID DeviceForth(VOID)
{
    KIRQL OldIrql;
    KeAcquireSpinLock(&GlobalLock, &OldIrql);
    KeAcquireSpinLockAtDpcLevel(&OtherLock); /* DEADLOCK@levels */
    Devices++;
    KeReleaseSpinLockFromDpcLevel(&OtherLock);
    KeReleaseSpinLock(&GlobalLock, OldIrql);
}

VOID DeviceBack(VOID)
{
    KIRQL OldIrql = KeAcquireSpinLockRaiseToDpc(&OtherLock);
    KeAcquireSpinLockAtDpcLevel(&GlobalLock); /* DEADLOCK@levels */
    Devices--;
    KeReleaseSpinLockFromDpcLevel(&GlobalLock);
    KeReleaseSpinLock(&OtherLock, OldIrql);
}

VOID DeviceList(VOID)
{
    KIRQL OldIrql;
    KeAcquireSpinLock(&GlobalLock, &OldIrql);
    ExAcquireFastMutex(&ListMutex); /* SLEEP */
    Sent++;
    ExReleaseFastMutex(&ListMutex);
    KeReleaseSpinLock(&GlobalLock, OldIrql);
    ExAcquireFastMutex(&ListMutex); /* NOSLEEP */
    Sent--;
    ExReleaseFastMutex(&ListMutex);
}

int NameFind(int Most)
{
    ExAcquireResourceSharedLite(&NameTable, TRUE);
    if (Names > Most)
        return -1; /* LEAK */
    Most = Names; /* NORACE */
    ExReleaseResourceLite(&NameTable);
    return Most;
}

VOID NameAdd(VOID)
{
    ExAcquireResourceExclusiveLite(&NameTable, TRUE);
    Names++; /* NORACE */
    ExReleaseResourceLite(&NameTable);
}
