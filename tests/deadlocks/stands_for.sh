#!/bin/bash
# A lock that is known by its type only may be any of those that have a name: how many, is told, and speaks against it.
. "$(dirname "$0")/../cli/common.inc"
program() { # the types that have a guard inside
    cat <<'C'
#include <pthread.h>
struct guard { pthread_mutex_t lock; int uses; };
C
    cat
    cat <<'C'
struct visit { struct guard *of; struct visit *next; };
struct visit *visits;
static struct guard *asked(struct visit *v) { return v->of; }
static void *guest(void *unused) {
    struct guard *one = asked(visits);
    pthread_mutex_lock(&one->lock);
    pthread_mutex_lock(&rooms.guard.lock);
    pthread_mutex_unlock(&rooms.guard.lock);
    pthread_mutex_unlock(&one->lock);
    return unused;
}
static void *porter(void *unused) {
    struct guard *one = asked(visits);
    pthread_mutex_lock(&rooms.guard.lock);
    pthread_mutex_lock(&one->lock);
    pthread_mutex_unlock(&one->lock);
    pthread_mutex_unlock(&rooms.guard.lock);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, guest, 0);
    pthread_create(&b, 0, porter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
}
program <<'C' >one.c
struct house { struct guard guard; int beds; } rooms;
C
program <<'C' >many.c
struct house { struct guard guard; int beds; } rooms;
struct tower { struct guard guard; int floors; } towers;
struct gate { struct guard guard; int doors; } gates;
void count(struct house *h, struct tower *t, struct gate *g) {
    pthread_mutex_lock(&h->guard.lock), h->beds++, pthread_mutex_unlock(&h->guard.lock);
    pthread_mutex_lock(&t->guard.lock), t->floors++, pthread_mutex_unlock(&t->guard.lock);
    pthread_mutex_lock(&g->guard.lock), g->doors++, pthread_mutex_unlock(&g->guard.lock);
}
C
said() { sed 's/.*"score":\([-0-9.]*\),.*"stands_for":\([0-9]*\).*/\2 \1/' <<<"$(grep deadlock <<<"$out")"; }
run run --quiet --all --format jsonl --db one.db one.c
one=$(said)
run run --quiet --all --format jsonl --db many.db many.c
many=$(said)
same "one has a name" "${one%% *}" 1
same "three have one" "${many%% *}" 3
awk -v a="${one##* }" -v b="${many##* }" 'BEGIN { exit !(b < a - 0.3) }' && ok "and that speaks against it" || not_ok "and that speaks against it" "$one, $many"
finish
