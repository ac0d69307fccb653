// A lock function that complains of what has no lock and goes home: whoever hands over an object has its lock then.
#include <pthread.h>
#include <stdio.h>

struct head {
    int sort;
    pthread_mutex_t lock;
};
struct account {
    struct head head;
    int balance;
};

static void complain(const char *text, void *any) {
    static int complaints;
    complaints++;
    fprintf(stderr, text, any);
}

static int is_sort(const struct head *head, int sort) { return head && (head->sort & sort) == sort; }

void thing_lock(void *any) {
    struct head *head = any;
    if (!is_sort(head, 1)) {
        complain("%p has no lock\n", any);
        return;
    }
    pthread_mutex_lock(&head->lock);
}

void thing_unlock(void *any) {
    struct head *head = any;
    if (!is_sort(head, 1)) {
        complain("%p has no lock\n", any);
        return;
    }
    pthread_mutex_unlock(&head->lock);
}

int withdraw(struct account *account, int amount) {
    thing_lock(account);
    if (account->balance < amount)
        goto out;
    account->balance -= amount;
out:
    thing_unlock(account);
    return 0;
}

int deposit(struct account *account, int amount) {
    thing_lock(account);
    account->balance += amount;
    thing_unlock(account);
    return 0;
}
