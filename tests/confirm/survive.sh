#!/bin/bash
# The runtime compiles without a warning; programs run with it as they do without: fork, exec, signals, longjmp, exit in
# a thread, cancelled threads, many threads, shared objects and those that come later. Code in them is steered as well.
. "$(dirname "$0")/common.inc"
run confirm --runtime runtime
expect "the runtime is written" 0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    said=$($compiler -std=gnu11 -O2 -Wall -Wextra -fno-builtin -fPIC -shared -o warned.so runtime/runtime.c 2>&1)
    [ -z "$said" ] && ok "no warning of $compiler" || not_ok "no warning of $compiler" "$(head -c 500 <<<"$said")"
done

cat >all.c <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int plain;
static atomic_long sum;
static _Atomic char small;
static _Atomic short middle;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf back;
static volatile sig_atomic_t beeps;
static void beep(int number) { beeps++; }
static void *count(void *unused) {
    plain++;
    atomic_fetch_add(&sum, 1);
    small ^= 1;
    middle |= 2;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
static void *other(void *unused) {
    plain--;
    return unused;
}
static void *sleeper(void *unused) {
    for (;;)
        pause();
}
static void *leaver(void *unused) {
    printf("%ld %d\n", (long)sum, (int)beeps);
    exit(7);
}
static void many(void) {
    pthread_t threads[200];
    for (int i = 0; i < 200; i++)
        if (pthread_create(&threads[i], NULL, i % 2 ? count : other, NULL))
            abort();
    for (int i = 0; i < 200; i++)
        pthread_join(threads[i], NULL);
}
int main(int words, char **word) {
    pthread_t thread;
    if (words > 1)
        return strcmp(word[1], "child") ? 1 : 5;
    signal(SIGUSR1, beep);
    many();
    for (int i = 0; i < 3; i++)
        raise(SIGUSR1);
    if (!setjmp(back))
        longjmp(back, 1);
    int status;
    pid_t child = fork();
    if (!child) {
        many();
        execl(word[0], word[0], "child", NULL);
        _exit(9);
    }
    while (waitpid(child, &status, 0) != child)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 5)
        return 3;
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, leaver, NULL);
    pthread_join(thread, NULL);
    return 4;
}
C
built all -O1
said=$(./all)
[ $? = 7 ] && [ "$said" = "100 3" ] && ok "without a plan" || not_ok "without a plan" "$said"
run run --quiet --db all.db all.c
for seed in 1 2 3 4; do
    run confirm --db all.db --all --top 20 --runs 1 --seed $seed --output --run-time 20s -- ./all
    [[ $out == *"100 "* ]] && [[ $out == *" 0 crashed"* ]] || not_ok "seed $seed" "$out $err"
done
[[ $out == *"1 witnessed"* ]] || run confirm --db all.db --all --top 20 -- ./all
[[ $out == *" witnessed, 0 crashed"* && $out != *" 0 witnessed,"* ]] && ok "steered, to its end" || not_ok "steered, to its end" "$out"

# 1,000 threads that are all there at once.
cat >crowd.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define CROWD 1000
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int here, left;
static void *come(void *unused) {
    pthread_mutex_lock(&lock);
    if (++here == CROWD)
        pthread_cond_broadcast(&all);
    while (here < CROWD)
        pthread_cond_wait(&all, &lock);
    pthread_mutex_unlock(&lock);
    left++;
    return unused;
}
int main(void) {
    pthread_attr_t small;
    pthread_t thread[CROWD];
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (int i = 0; i < CROWD; i++)
        if (pthread_create(&thread[i], &small, come, NULL))
            abort();
    for (int i = 0; i < CROWD; i++)
        pthread_join(thread[i], NULL);
    printf("%d came\n", here);
    return 0;
}
C
built crowd
run run --quiet --db crowd.db crowd.c
run confirm --db crowd.db --all --top 5 --runs 2 --output --run-time 60s -- ./crowd
[[ $out == *"1000 came"* && $out == *" 0 crashed"* && $out != *" 0 witnessed,"* ]] && ok "1,000 threads" || not_ok "1,000 threads" "$out $err"

# A shared object that is linked, and one that comes later; inlined code.
mkdir tree
cat >tree/shared.c <<'C'
static int pages;
static inline void turn(int by) {
    pages += by;
}
void *forward(void *unused) { for (int i = 0; i < 50; i++) turn(1); return unused; }
void *backward(void *unused) { for (int i = 0; i < 50; i++) turn(-1); return unused; }
C
cat >tree/linked.c <<'C'
#include <pthread.h>
void *forward(void *unused);
void *backward(void *unused);
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, forward, NULL);
    pthread_create(&b, NULL, backward, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
cat >later.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
int main(void) {
    pthread_t a, b;
    void *object = dlopen("./libshared.so", RTLD_NOW);
    if (!object)
        return 1;
    pthread_create(&a, NULL, (void *(*)(void *))dlsym(object, "forward"), NULL);
    pthread_create(&b, NULL, (void *(*)(void *))dlsym(object, "backward"), NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
"$RACERX" cc -O2 -fPIC -shared -Wl,-z,defs -o libshared.so tree/shared.c && "$RACERX" cc -O2 -o linked tree/linked.c -L. -lshared -Wl,-rpath,"$PWD" -lpthread
built later -ldl
run run --quiet --db tree.db tree
for program in linked later; do
    run confirm --db tree.db --all --top 5 -- ./$program
    [[ $out == *"shared.c:3"* && $out == *"1 witnessed"* ]] && ok "$program" || not_ok "$program" "$out $err"
done
echo './linked' >script.sh
run confirm --db tree.db --all --top 5 -- sh script.sh
[[ $out == *"1 witnessed"* ]] && ok "from a script" || not_ok "from a script" "$out $err"
if command -v clang >/dev/null; then
    "$RACERX" cc --with=clang -w -O2 -o both tree/shared.c tree/linked.c -lpthread
    run confirm --db tree.db --all --top 5 -- ./both
    [[ $out == *"1 witnessed"* ]] && ok "clang" || not_ok "clang" "$out $err"
fi
exit $((failures > 0))
