#include <pthread.h>
#include <stdio.h>

typedef unsigned long DWORD;
typedef void *LPVOID;
typedef struct { pthread_mutex_t m; } CRITICAL_SECTION, *LPCRITICAL_SECTION;
typedef struct { pthread_t t; DWORD (*start)(LPVOID); LPVOID param; } THREADREC, *HANDLE;

static void InitializeCriticalSection(LPCRITICAL_SECTION cs)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&cs->m, &attr);
}
static void EnterCriticalSection(LPCRITICAL_SECTION cs) { pthread_mutex_lock(&cs->m); }
static void LeaveCriticalSection(LPCRITICAL_SECTION cs) { pthread_mutex_unlock(&cs->m); }

static void *thunk(void *p)
{
    HANDLE h = p;
    h->start(h->param);
    return NULL;
}
static int CreateThreadRec(HANDLE h, DWORD (*start)(LPVOID), LPVOID param)
{
    h->start = start;
    h->param = param;
    return pthread_create(&h->t, NULL, thunk, h);
}

static CRITICAL_SECTION g_csPlayers;
static CRITICAL_SECTION g_csWorld;
static int g_nPlayers, g_nTiles;

static void SpawnPlayer(void)
{
    EnterCriticalSection(&g_csPlayers);
    g_nPlayers++;
    EnterCriticalSection(&g_csWorld); /* DEADLOCK */
    g_nTiles--;
    LeaveCriticalSection(&g_csWorld);
    LeaveCriticalSection(&g_csPlayers);
}

static void ResetWorld(void)
{
    EnterCriticalSection(&g_csWorld);
    g_nTiles = 100;
    EnterCriticalSection(&g_csPlayers); /* DEADLOCK */
    g_nPlayers = 0;
    LeaveCriticalSection(&g_csPlayers);
    LeaveCriticalSection(&g_csWorld);
}

static DWORD NetThread(LPVOID p)
{
    (void)p;
    for (int i = 0; i < 50; i++)
        SpawnPlayer();
    return 0;
}

static DWORD GameThread(LPVOID p)
{
    (void)p;
    for (int i = 0; i < 50; i++)
        ResetWorld();
    return 0;
}

int main(void)
{
    static THREADREC net, game;

    InitializeCriticalSection(&g_csPlayers);
    InitializeCriticalSection(&g_csWorld);
    CreateThreadRec(&net, NetThread, NULL);
    CreateThreadRec(&game, GameThread, NULL);
    pthread_join(net.t, NULL);
    pthread_join(game.t, NULL);
    return 0;
}
