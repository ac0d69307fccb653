// A lock type of the program's own, with one function that makes it recursive: of the tree, but not of the cellar.
#include <pthread.h>

struct mutex {
    pthread_mutex_t m;
};
struct tree {
    struct mutex lock;
    int nodes;
};

int mutex_make(struct mutex *mutex) { return pthread_mutex_init(&mutex->m, NULL); }

int mutex_make_recursive(struct mutex *mutex) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    return pthread_mutex_init(&mutex->m, &attributes);
}

void mutex_take(struct mutex *mutex) { pthread_mutex_lock(&mutex->m); }
void mutex_give(struct mutex *mutex) { pthread_mutex_unlock(&mutex->m); }

struct cellar {
    struct mutex lock;
    int bottles;
};

void cellar_make(struct cellar *cellar) { mutex_make(&cellar->lock); }
void tree_make(struct tree *tree) { mutex_make_recursive(&tree->lock); }

void tree_add(struct tree *tree) {
    mutex_take(&tree->lock);
    tree->nodes++;
    mutex_give(&tree->lock);
}

void tree_fill(struct tree *tree) {
    mutex_take(&tree->lock);
    for (int i = 0; i < 8; i++)
        tree_add(tree);
    mutex_give(&tree->lock);
}

void cellar_add(struct cellar *cellar) {
    mutex_take(&cellar->lock); /* DOUBLE-LOCK */
    cellar->bottles++;
    mutex_give(&cellar->lock);
}

void cellar_fill(struct cellar *cellar) {
    mutex_take(&cellar->lock);
    for (int i = 0; i < 8; i++)
        cellar_add(cellar);
    mutex_give(&cellar->lock);
}
