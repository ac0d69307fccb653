#!/bin/bash
# why: each hurdle that can keep a place out of the list is named, and so is what was found.
. "$(dirname "$0")/common.inc"
mkdir tree
cat >tree/pool.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pool { int used; };
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int taken;
static int limit;
static atomic_int hits;
static void take(void) {
    pthread_mutex_lock(&guard);
    taken++;
    pthread_mutex_unlock(&guard);
}
static void give(void) {
    pthread_mutex_lock(&guard);
    pthread_mutex_lock(&other);
    taken--;
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&guard);
}
static void *worker(void *unused) {
    int local = 0;
    local++;
    take();
    give();
    hits++;
    taken = limit;
    struct pool *fresh = malloc(sizeof *fresh);
    fresh->used = local;
    return fresh;
}
int main(void) {
    pthread_t a, b;
    limit = 7;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    return 0;
}
C
run run -q tree
expect run 0
# says NAME PLACE TEXT [OBJECT]: the answer has TEXT in it, however it is broken into lines.
says() {
    run why "$2" ${4:+"$4"}
    local flat
    flat=$(tr '\n' ' ' <<<"$out" | tr -s ' ')
    [[ $status -eq 0 && $flat == *"$3"* ]] && ok "$1" || not_ok "$1" "status $status, no '$3' in: $flat"
    [[ -z $(awk 'length > 80' <<<"${out//…/.}") ]] || not_ok "$1-width" "a line of more than 80 columns"
}
says found pool.c:28 "it is finding 1, a race"
says found-score pool.c:28 "(racerx show "
says not-read nowhere.c:3 "nothing is said of it: the file was not read"
says near pol.c:3 "there is pool.c"
says no-function pool.c:7 "nothing is said of it: the line is in no function"
says nothing pool.c:24 "nothing on the line concerns locks or what others can see"
says atomic pool.c:27 "pool.c:hits is no shared data: it is of an atomic type"
says fresh pool.c:30 "nobody else can see struct pool.used yet"
says object pool.c:28 "pool.c:limit" limit
says no-object pool.c:28 "nothing whose name has 'nonesuch' in it is accessed here" nonesuch
says belief pool.c:28 "pool.c:guard is held in 2 places of 3 (S 2, F 1" taken
says runner-up pool.c:28 "runner-up: pool.c:other is held in 1 place of 3" taken
says roots pool.c:12 "from 1 root: worker (thread)"
says chain pool.c:12 "nearest: worker > take"
says lock-alone pool.c:11 "no other lock is held when pool.c:guard is taken here"
says order pool.c:17 "nobody takes pool.c:guard and pool.c:other in the other order"
says pairs pool.c:28 "may collide" taken
says again pool.c:28 "the tree was linked and walked again"
run why pool.c:28 taken --format jsonl
while IFS= read -r line; do
    jq -e '.answer and .text and .file == "pool.c" and .line == 28' <<<"$line" >/dev/null || not_ok jsonl "$line"
done <<<"$out"
[ "$(jq -r 'select(.answer == "belief" and .lock == "pool.c:other") | "\(.s) \(.f)"' <<<"$out")" = "1 2" ] && ok jsonl-belief || not_ok jsonl-belief "$out"
[ "$(head -n 1 <<<"$out" | jq -r .answer)" = short ] && ok jsonl-short || not_ok jsonl-short "$out"
run why pool.c
expect_line no-line 2 "why needs a place, FILE:LINE"
run why
expect_line no-place 2 "why needs a place"

# Below the line, suppressed, judged.
run rank -q --set line=100
says below pool.c:28 "a race was found, and is below the ranking's line" taken
run rank -q
run mark 1 false 'on purpose'
says judged pool.c:28 "a reviewer said: false" taken
sed -i 's|taken = limit;|taken = limit; // racerx: ignore race a guess is enough|' tree/pool.c
run run -q tree
says suppressed pool.c:28 "is suppressed: " taken
exit $((failures > 0))
