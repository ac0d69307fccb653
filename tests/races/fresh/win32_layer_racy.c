#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* --- portability layer, Win32 names on POSIX --- */
typedef unsigned long DWORD;
typedef void *LPVOID;
typedef struct { pthread_mutex_t mtx; } CRITICAL_SECTION;
typedef DWORD (*LPTHREAD_START_ROUTINE)(LPVOID);
typedef struct handle_s {
    pthread_t tid;
    LPTHREAD_START_ROUTINE proc;
    LPVOID param;
    DWORD ret;
} *HANDLE;

static void InitializeCriticalSection(CRITICAL_SECTION *cs)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&cs->mtx, &a);
    pthread_mutexattr_destroy(&a);
}
static void EnterCriticalSection(CRITICAL_SECTION *cs) { pthread_mutex_lock(&cs->mtx); }
static void LeaveCriticalSection(CRITICAL_SECTION *cs) { pthread_mutex_unlock(&cs->mtx); }

static void *thunk(void *p)
{
    HANDLE h = p;
    h->ret = h->proc(h->param); // TODO NORACE: a handle that only the thread and who waits for it have
    return NULL;
}

static HANDLE CreateThread(LPTHREAD_START_ROUTINE proc, LPVOID param)
{
    HANDLE h = malloc(sizeof *h);
    h->proc = proc;
    h->param = param;
    pthread_create(&h->tid, NULL, thunk, h);
    return h;
}

static void WaitForSingleObject(HANDLE h) { pthread_join(h->tid, NULL); }

/* --- the program --- */
static CRITICAL_SECTION g_cs;
static DWORD g_dwPackets, g_dwBytes;

static void AccountPacket(DWORD cb)
{
    EnterCriticalSection(&g_cs);
    g_dwPackets++;
    g_dwBytes += cb;
    LeaveCriticalSection(&g_cs);
}

static DWORD ReceiverProc(LPVOID lpParam)
{
    DWORD i, n = (DWORD)lpParam;
    for (i = 0; i < n; i++)
        AccountPacket(i & 0xff);
    return 0;
}

static DWORD ResetProc(LPVOID lpParam)
{
    int i;
    (void)lpParam;
    for (i = 0; i < 10; i++) {
        g_dwPackets = 0; // RACE!
        g_dwBytes = 0; // RACE!
    }
    return 0;
}

int main(void)
{
    HANDLE h[3];
    InitializeCriticalSection(&g_cs);
    h[0] = CreateThread(ReceiverProc, (LPVOID)500);
    h[1] = CreateThread(ReceiverProc, (LPVOID)700);
    h[2] = CreateThread(ResetProc, NULL);
    for (int i = 0; i < 3; i++)
        WaitForSingleObject(h[i]);
    printf("%lu %lu\n", g_dwPackets, g_dwBytes);
    return 0;
}
