#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Sorted list with a lock in each node. */
typedef struct hnode {
    int val;
    struct hnode *next;
    pthread_mutex_t mx;
} hnode;

static hnode *head;

static hnode *hnode_new(int val, hnode *next)
{
    hnode *n = malloc(sizeof(*n));
    n->val = val;
    n->next = next;
    pthread_mutex_init(&n->mx, NULL);
    return n;
}

static void hlist_insert(int val)
{
    hnode *prev = head, *cur;

    pthread_mutex_lock(&prev->mx);
    while ((cur = prev->next) != NULL) {
        pthread_mutex_lock(&cur->mx);
        if (cur->val >= val)
            break;
        pthread_mutex_unlock(&prev->mx);
        prev = cur;
    }
    prev->next = hnode_new(val, cur); // NORACE
    if (cur)
        pthread_mutex_unlock(&cur->mx);
    pthread_mutex_unlock(&prev->mx);
}

static int hlist_count(void)
{
    int n = 0;
    hnode *prev = head, *cur;

    pthread_mutex_lock(&prev->mx);
    while ((cur = prev->next) != NULL) { // NORACE
        pthread_mutex_lock(&cur->mx);
        pthread_mutex_unlock(&prev->mx);
        n++;
        prev = cur;
    }
    pthread_mutex_unlock(&prev->mx);
    return n;
}

static void *inserter(void *arg)
{
    int base = *(int *)arg, i;
    for (i = 0; i < 60; i++)
        hlist_insert(base + i * 2);
    return NULL;
}

static void *counter(void *arg)
{
    int i, last = 0;
    for (i = 0; i < 30; i++)
        last = hlist_count();
    *(int *)arg = last;
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    int even = 0, odd = 1, seen = 0;

    head = hnode_new(INT_MIN, NULL);
    pthread_create(&a, NULL, inserter, &even);
    pthread_create(&b, NULL, inserter, &odd);
    pthread_create(&c, NULL, counter, &seen);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    printf("%d seen, %d in the end\n", seen, hlist_count());
    return 0;
}
