#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct in4 { uint8_t o[4]; } in4;

static pthread_mutex_t acl_lock = PTHREAD_MUTEX_INITIALIZER;
static char last_denied[20];
static int  denied;

static const char *in4_str(const in4 *a)
{
    static char buf[20];
    snprintf(buf, sizeof buf, "%u.%u.%u.%u", a->o[0], a->o[1], a->o[2], a->o[3]); // RACE!
    return buf;
}

static void acl_deny(const char *who)
{
    pthread_mutex_lock(&acl_lock);
    strncpy(last_denied, who, sizeof last_denied - 1);
    denied++;
    pthread_mutex_unlock(&acl_lock);
}

static int acl_check(const in4 *a)
{
    if (a->o[0] == 10)
        return 1;
    acl_deny(in4_str(a));
    return 0;
}

static void *acceptor(void *arg)
{
    uint32_t r = (uint32_t)(uintptr_t)arg;
    int ok = 0;
    for (int i = 0; i < 300; i++) {
        in4 a;
        r = r * 22695477u + 1u;
        a.o[0] = (r >> 24) % 20;
        a.o[1] = r >> 16;
        a.o[2] = r >> 8;
        a.o[3] = r;
        ok += acl_check(&a);
    }
    printf("ok %d\n", ok);
    return 0;
}

int main(void)
{
    pthread_t v4, v4tls;
    pthread_create(&v4, 0, acceptor, (void *)80);
    pthread_create(&v4tls, 0, acceptor, (void *)443);
    pthread_join(v4, 0);
    pthread_join(v4tls, 0);
    printf("%d denied, last %s\n", denied, last_denied);
    return 0;
}
