// Objects with a common head that has the lock; one function locks any of them.
#include <pthread.h>
#include <stdio.h>

struct mutex {
    pthread_mutex_t m;
};
struct head {
    int sort;
    struct mutex lock;
};
struct plant {
    struct head head;
    int leaves;
};
struct garden {
    struct head head;
    int plants;
};

static int is_sort(const struct head *head, int sort) { return head && (head->sort & sort) == sort; }

static struct head *head_of(void *any) {
    if (is_sort(any, 1))
        return any;
    fprintf(stderr, "%p has no lock\n", any);
    return NULL;
}

static void mutex_take(struct mutex *mutex) { pthread_mutex_lock(&mutex->m); }
static void mutex_give(struct mutex *mutex) { pthread_mutex_unlock(&mutex->m); }

void thing_lock(void *any) {
    struct head *head = head_of(any);
    if (!head)
        return;
    mutex_take(&head->lock);
}

void thing_unlock(void *any) {
    struct head *head = head_of(any);
    if (!head)
        return;
    mutex_give(&head->lock);
}

void *water(struct garden *garden, struct plant *plant) {
    thing_lock(garden);
    thing_lock(plant); /* DEADLOCK@a */
    plant->leaves++;
    garden->plants++;
    thing_unlock(plant);
    thing_unlock(garden);
    return NULL;
}

void *wither(struct garden *garden, struct plant *plant) {
    thing_lock(plant);
    thing_lock(garden); /* DEADLOCK@a */
    plant->leaves--;
    garden->plants--;
    thing_unlock(garden);
    thing_unlock(plant);
    return NULL;
}
