#!/bin/bash
# `racerx predict`: pairs that no lock and no order keeps apart, from runs in which they did not meet. `make bench-predict`
# does it with all programs of the tests.
. "$(dirname "$0")/common.inc"

# predicted NAME WORDS...: what `predict` says of NAME.c, as JSON lines in NAME.out
predicted() {
    local name=$1
    shift
    "$RACERX" predict --format jsonl --run-time 20s "$@" -- "./$name" >"$name.out" 2>"$name.err" || not_ok "$name is predicted" "$(head -c 300 "$name.err")"
}
# expect_lines NAME LINES...: some prediction is on these two lines; without LINES: there is none
expect_lines() {
    local name=$1 got
    got=$(jq -rc 'select(.sides) | .sides | map(.line) | sort | join(" ")' "$name.out" | sort -u | paste -sd,)
    if [ $# = 1 ]; then
        [ -z "$got" ] && ok "$name: no prediction" || not_ok "$name: no prediction" "$got"
    else
        case ",$got," in *",$2 $3,"*) ok "$name: $2 and $3" ;; *) not_ok "$name: $2 and $3" "it says '$got'" ;; esac
    fi
}

for name in missing_lock barrier_phases condition_handover creator_holds; do
    cp "$root/tests/races/posix/$name.c" . && built "$name" && predicted "$name"
    lines=$(grep -nE '[ /*]RACE([ @#!*]|$)' "$name.c" | cut -d: -f1 | paste -sd,)
    jq -e --argjson lines "[$lines]" 'select(.sides) | select(.sides | map(.line) | any(. as $l | $lines | index($l)))' "$name.out" >/dev/null &&
        ok "$name" || not_ok "$name" "$(head -c 400 "$name.out")"
    cp "$root/tests/races/posix/${name}_repaired.c" . && built "${name}_repaired" && predicted "${name}_repaired"
    expect_lines "${name}_repaired"
done

# A belt of parcels, by a lock and a condition: the packer writes a parcel before, the driver reads it after, neither with
# the lock. Plain PLA says they race.
cat >belt.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct parcel { int weight; struct parcel *next; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct parcel *belt;
static int done;
static long carried;
static void *pack(void *unused) {
    for (int i = 0; i < 50; i++) {
        struct parcel *parcel = malloc(sizeof *parcel);
        parcel->weight = i;
        pthread_mutex_lock(&lock);
        parcel->next = belt;
        belt = parcel;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&lock);
#ifdef LATE
        parcel->weight++;
#endif
    }
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *drive(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!belt && !done)
            pthread_cond_wait(&more, &lock);
        struct parcel *parcel = belt;
        belt = parcel ? parcel->next : NULL;
        pthread_mutex_unlock(&lock);
        if (!parcel)
            return unused;
        carried += parcel->weight;
        free(parcel);
    }
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pack, NULL);
    pthread_create(&b, NULL, drive, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return carried != 1225;
}
C
built belt && predicted belt
expect_lines belt
jq -e 'select(.pairs) | .pairs > 0' belt.out >/dev/null && ok "plain PLA would say so" || not_ok "plain PLA would say so" "$(head -n 1 belt.out)"
cp belt.c late.c && built late -DLATE && predicted late --confirm --samples 6
expect_lines late 19 38
jq -e 'select(.sides) | select(.witness.outcome == "witnessed")' late.out >/dev/null && ok "confirm shows it" || not_ok "confirm shows it" "$(head -c 900 late.out)"

# A handle that is set by an atomic store, semaphores, joins of a thread that ended long ago, memory that is used again.
cat >handed.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) ready;
static sem_t full;
static int box, sum;
static void *give(void *unused) {
    int *value = malloc(sizeof *value);
    *value = 3;
    atomic_store(&ready, value);
    box = 4;
    sem_post(&full);
    return unused;
}
static void *take(void *unused) {
    int *value;
    while (!(value = atomic_load(&ready)))
        ;
    sum += *value;
    sem_wait(&full);
    sum += box;
    free(value);
    return unused;
}
static void *scratch(void *unused) {
    int *own = malloc(64);
    for (int i = 0; i < 16; i++)
        own[i] = i;
    free(own);
    return unused;
}
int main(void) {
    pthread_t a, b, c[4];
    sem_init(&full, 0, 0);
    pthread_create(&a, NULL, give, NULL);
    pthread_create(&b, NULL, take, NULL);
    for (int i = 0; i < 4; i++)
        pthread_create(&c[i], NULL, scratch, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(c[i], NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum != 7;
}
C
built handed && predicted handed
expect_lines handed

# Seeds: two command lines of one program, which never ran together, on a file both map is beyond us; clients of a server
# are not. Each seed makes the server do one of the two.
cat >server.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long visits, name;
static void *serve(void *socket) {
    char word = 0;
    int file = (int)(long)socket;
    if (read(file, &word, 1) == 1 && word == 'a') {
        pthread_mutex_lock(&lock);
        visits++;
        pthread_mutex_unlock(&lock);
    } else if (word == 'b') {
        visits = 0;
    }
    if (write(file, "!", 1) != 1)
        name++;
    close(file);
    return NULL;
}
int main(int count, char **word) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "door"};
    int door = socket(AF_UNIX, SOCK_STREAM, 0);
    if (count > 1) {
        char answer;
        connect(door, (struct sockaddr *)&address, sizeof address);
        return write(door, word[1], 1) != 1 || read(door, &answer, 1) != 1;
    }
    unlink("door");
    bind(door, (struct sockaddr *)&address, sizeof address);
    listen(door, 10);
    for (;;) {
        pthread_t thread;
        long client = accept(door, NULL, NULL);
        pthread_create(&thread, NULL, serve, (void *)client);
        pthread_detach(thread);
    }
}
C
built server
printf '# who comes\n./server a; ./server a\n./server b; ./server b\n' >clients.txt
"$RACERX" predict --seeds clients.txt --settle 0.3s --samples 4 --format jsonl -- ./server >server.out 2>server.err
expect_lines server 13 16
jq -e 'select(.sides) | select((.sides | map(.line) | sort) == [13, 16]) | .sides[0].seed' server.out >/dev/null && ok "a seed of each side" || not_ok "a seed of each side" "$(head -c 600 server.out)"

# Options that cannot be.
run predict --beta 2 -- ./belt
expect "no share" 2 "no share"
run predict nowhere
expect "no samples" 2 "no sample"
run predict --confirm
expect "nothing to run" 2 "needs a program"
exit $((failures > 0))
