#!/bin/bash
# `racerx trace`: what a run did is kept, in bounded files; the program runs as it does without. fork, exec, signals, exit
# in a thread and 1,000 threads are survived.
. "$(dirname "$0")/common.inc"
cat >many.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int plain;
static atomic_long sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile sig_atomic_t beeps;
static void beep(int number) { beeps++; }
static void begin(void) { signal(SIGUSR1, beep); }
static void *count(void *unused) {
    char *memory = malloc(100);
    pthread_once(&once, begin);
    memory = realloc(memory, 1000);
    pthread_mutex_lock(&lock);
    plain++;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&sum, 1);
    free(memory);
    return unused;
}
static void *leaver(void *unused) {
    printf("%ld %d %d\n", (long)sum, plain, (int)beeps);
    exit(7);
}
static void many(int threads) {
    pthread_t thread[1000];
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, count, NULL))
            abort();
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}
int main(int words, char **word) {
    pthread_t thread;
    int status;
    if (words > 1)
        return strcmp(word[1], "child") ? 1 : 5;
    many(1000);
    raise(SIGUSR1);
    pid_t child = fork();
    if (!child) {
        many(20);
        execl(word[0], word[0], "child", NULL);
        _exit(9);
    }
    while (waitpid(child, &status, 0) != child)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 5)
        return 3;
    pthread_create(&thread, NULL, leaver, NULL);
    pthread_join(thread, NULL);
    return 4;
}
C
built many -O1
said=$(./many)
[ $? = 7 ] && [ "$said" = "1000 1000 1" ] && ok "without a plan" || not_ok "without a plan" "$said"
run trace --into samples --output --run-time 120s -- ./many
expect "a traced run" 0
[ "$(grep -c '^1000 1000 1$' <<<"$out")" = 2 ] && ok "it runs as it does without" || not_ok "it runs as it does without" "$out"
[[ $out == *"times"* ]] && ok "what it cost" || not_ok "what it cost" "$out"
[ "$(find samples/sample-0001 -name 'trace.*' | wc -l)" -ge 1023 ] && ok "a file of each thread, of both processes" || not_ok "a file of each thread" "$(find samples -name 'trace.*' | wc -l)"
run predict samples
expect "1,000 threads in order" 0
[[ $out == *"0 pairs of lines"* ]] && ok "nothing is predicted" || not_ok "nothing is predicted" "$out"

# Bounded: a thread that does more than has room. What was left out makes no prediction.
cat >sweep.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#define CELLS 4000
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *cells, turn, filled;
static void *fill(void *unused) {
    for (int i = 0; i < CELLS; i++) {
        pthread_mutex_lock(&lock);
        cells[i]++;
        turn ^= 1;
        filled = i;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    cells = calloc(CELLS, sizeof *cells);
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
built sweep
run trace --into small --events 2000 --format jsonl -- ./sweep
expect "small files" 0
jq -e '.lost > 0 and .bytes <= 3 * (48 + 24 * 2000)' <<<"$out" >/dev/null && ok "bounded" || not_ok "bounded" "$out"
run predict small
[[ $out == *"0 pairs of lines"* && $out == *"had no room"* ]] && ok "holes make no prediction" || not_ok "holes make no prediction" "$out"
run trace --into whole --format jsonl -- ./sweep
jq -e '.lost == 0 and .events > 20000 and .seconds > 0 and .plain > 0' <<<"$out" >/dev/null && ok "whole" || not_ok "whole" "$out"

# Only what we wrote is taken away; --add keeps it.
touch whole/mine whole/sample-0001/mine
run trace --into whole --add --runs 2 -- ./sweep
[ -d whole/sample-0003 ] && [ -s whole/sample-0001/sample ] && ok "--add" || not_ok "--add" "$(ls whole)"
run trace --into whole -- ./sweep 2>/dev/null
[ -e whole/mine ] && [ -e whole/sample-0001/mine ] && ok "others' files stay" || not_ok "others' files stay" "$(ls -R whole)"
run trace --into whole
expect "no program" 2 "needs a program"
gcc -w -o plain sweep.c -lpthread
run trace --into none -- ./plain
expect "not built for it" 2 "racerx cc"
exit $((failures > 0))
