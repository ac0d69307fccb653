/* A service's threads: the locks of Win32, right and wrong. */
#include <windows.h>
#include <process.h>

typedef struct _QUEUE {
    CRITICAL_SECTION Lock;
    CONDITION_VARIABLE Filled;
    int Queued, Hits, Missed;
} QUEUE;

static QUEUE Queue;
static CRITICAL_SECTION First, Second;
static SRWLOCK MapLock = SRWLOCK_INIT;
static HANDLE StatsMutex, Wake;
static LONG References;
static int Total, Mapped, Looked, Stats, Served, Items, Ticks, Level;

static void QueuePop(QUEUE *Q)
{
    EnterCriticalSection(&Q->Lock);
    EnterCriticalSection(&Q->Lock); /* NODOUBLE-LOCK */
    LeaveCriticalSection(&Q->Lock);
    while (!Q->Queued)
        SleepConditionVariableCS(&Q->Filled, &Q->Lock, INFINITE);
    Q->Queued--; /* NORACE */
    LeaveCriticalSection(&Q->Lock);
}

static BOOL QueuePush(QUEUE *Q)
{
    if (!TryEnterCriticalSection(&Q->Lock)) {
        Q->Missed++; /* RACE */
        return FALSE;
    }
    Q->Queued++; /* NORACE */
    LeaveCriticalSection(&Q->Lock); /* NOUNHELD */
    WakeConditionVariable(&Q->Filled);
    return TRUE;
}

static int MapFind(void)
{
    int n;
    AcquireSRWLockShared(&MapLock);
    n = Mapped; /* NORACE */
    Looked++; /* RACE */
    ReleaseSRWLockShared(&MapLock);
    return n;
}

static void MapAdd(void)
{
    AcquireSRWLockExclusive(&MapLock);
    Mapped++; /* NORACE */
    ReleaseSRWLockExclusive(&MapLock);
}

int LevelSet(int n)
{
    EnterCriticalSection(&First);
    if (n > 9)
        return -1; /* LEAK */
    Level = n; /* NORACE */
    LeaveCriticalSection(&First);
    return 0;
}

/* A mutex behind a handle. */
static void StatsAdd(int n)
{
    if (WaitForSingleObject(StatsMutex, INFINITE) == WAIT_OBJECT_0) {
        Stats += n; /* NORACE */
        ReleaseMutex(StatsMutex);
    }
}

static void StatsClear(void)
{
    if (WaitForSingleObject(StatsMutex, 100) != WAIT_OBJECT_0)
        return;
    Stats = 0; /* NORACE */
    ReleaseMutex(StatsMutex);
}

static unsigned __stdcall Listener(void *Data)
{
    QUEUE *Q = Data;
    EnterCriticalSection(&First);
    EnterCriticalSection(&Second); /* DEADLOCK@orders */
    Total++;
    LeaveCriticalSection(&Second);
    LeaveCriticalSection(&First);
    QueuePush(Q);
    MapAdd();
    MapFind();
    StatsAdd(1);
    InterlockedIncrement(&References); /* NORACE */
    Served++; /* RACE@served */
    SetEvent(Wake);
    return 0;
}

static DWORD WINAPI Worker(LPVOID Data)
{
    QUEUE *Q = Data;
    WaitForSingleObject(Wake, INFINITE);
    EnterCriticalSection(&Second);
    EnterCriticalSection(&First); /* DEADLOCK@orders */
    Total--;
    LeaveCriticalSection(&First);
    LeaveCriticalSection(&Second);
    QueuePop(Q);
    QueuePush(Q);
    MapFind();
    StatsClear();
    InterlockedDecrement(&References); /* NORACE */
    Served = 0; /* RACE@served */
    return 0;
}

static DWORD WINAPI Item(LPVOID Data)
{
    Ticks++; /* RACE@ticks */
    EnterCriticalSection(&First);
    Level = 3; /* NORACE */
    LeaveCriticalSection(&First);
    return 0;
}

int main(void)
{
    HANDLE a, b;

    InitializeCriticalSection(&First);
    InitializeCriticalSection(&Second);
    InitializeCriticalSection(&Queue.Lock);
    StatsMutex = CreateMutexW(NULL, FALSE, NULL);
    Wake = CreateEventW(NULL, FALSE, FALSE, NULL);
    Mapped = Stats = 0; /* NORACE */
    a = (HANDLE)_beginthreadex(NULL, 0, Listener, &Queue, 0, NULL);
    b = CreateThread(NULL, 0, Worker, &Queue, 0, NULL);
    QueueUserWorkItem(Item, NULL, WT_EXECUTEDEFAULT);
    Ticks = 0; /* RACE@ticks */
    WaitForSingleObject(a, INFINITE);
    WaitForSingleObject(b, INFINITE);
    Served = 0; /* NORACE */
    Items++;
    CloseHandle(a);
    CloseHandle(b);
    return 0;
}
