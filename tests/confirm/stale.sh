#!/bin/bash
# Facts that go stale are made to: a thread is stalled where it has let go of the lock; another writes; then it relies on
# what was. Who looks again is never said to.
. "$(dirname "$0")/common.inc"
cat >board.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct note { int size; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct note *pinned;
static long read_all;
static void *reader(void *unused) {
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&lock);
        if (!pinned) {
            pthread_mutex_unlock(&lock);
            continue;
        }
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        /* look again */
        read_all += pinned->size;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void *pinner(void *unused) {
    for (int i = 0; i < 30; i++) {
        struct note *note = malloc(sizeof *note);
        note->size = i;
        pthread_mutex_lock(&lock);
        free(pinned);
        pinned = note;
        pthread_mutex_unlock(&lock);
        if (i % 3)
            continue;
        pthread_mutex_lock(&lock);
        free(pinned);
        pinned = NULL;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pinned = calloc(1, sizeof *pinned);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, pinner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
cat >points.c <<'C'
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int points;
static void *player(void *unused) {
    int before;
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&lock);
        before = points;
        pthread_mutex_unlock(&lock);
        sched_yield();
        pthread_mutex_lock(&lock);
        /* look again */
        points = before + 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
static void *umpire(void *unused) {
    for (int i = 0; i < 30; i++) {
        pthread_mutex_lock(&lock);
        points = 0;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, player, NULL);
    pthread_create(&b, NULL, umpire, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
for name in board:stale-check points:stale-copy; do
    kind=${name#*:} name=${name%:*}
    built "$name" -O1
    steered "$name"
    expect_outcome "$name" "$kind" witnessed
    jq -r "select(.kind == \"$kind\") | .said" "$name.out" | grep -q 'before it was relied on' && ok "$name: what happened" || not_ok "$name: what happened" "$(head -c 400 "$name.out")"
    jq -r "select(.kind == \"$kind\") | .sides | length" "$name.out" | grep -qx 2 && ok "$name: both sides" || not_ok "$name: both sides" "$(head -c 400 "$name.out")"
done
# The same findings on the repaired program, which looks again on the line above: what it relies on is fresh.
sed -i 's|/\* look again \*/|if (pinned)|' board.c
sed -i 's|/\* look again \*/|if (points == before)|' points.c
for name in board:stale-check points:stale-copy; do
    kind=${name#*:} name=${name%:*}
    built "$name" -O1
    steered "$name" --runs 6
    expect_outcome "$name" "$kind" tried
done
exit $((failures > 0))
