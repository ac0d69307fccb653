#!/bin/bash
# Lock tables with mistakes: each is told with script and line, with status 2, and nothing is analysed by halves: what an
# earlier run found is still there.
. "$(dirname "$0")/../cli/common.inc"
mkdir tree
cat >tree/a.c <<'END'
struct lock { int held; };
void take(struct lock *lock, int how);
void drop(struct lock *lock) { lock->held = 0; }
int start(void (*function)(void *), void *data);
void old();
void any(struct lock *lock, ...);
#define kept(a, b, c) (a)
int log_it(int level);
struct lock one, two;
void f(void) { take(&one, 1); take(&one, 2); drop(&one); kept(1, 2, 3); }
void g(void) { down(&two); up(&two); }
END
cat >good.lua <<'END'
lock { arg = 1, acquire = "take", release = "drop" }
lock { kind = "semaphore", arg = 1, acquire = "down", release = "up" }
END
run run --quiet --format jsonl --all --db x.db --annotator good.lua tree
expect "a table that fits" 0
same "finds the lock taken twice" "$(grep -c '"kind":"double-lock"' <<<"$out")" 1
before=$("$RACERX" semaphores --db x.db)
same "and a semaphore" "$(sed -n 's/  .*//;2p' <<<"$before")" two

# bad NAME TEXT LINE SCRIPT: this script is refused, for this reason, in this line
bad() {
    printf '%s\n' "$4" >bad.lua
    run run --quiet --format jsonl --all --db x.db --annotator bad.lua tree
    expect_line "$1" 2 "bad.lua:$3: "
    expect "$1: why" 2 "$2"
    same "$1: nothing is printed" "$out" ""
    run check --quiet --db x.db --annotator bad.lua
    expect_line "$1, by check" 2 "bad.lua:$3: "
}
bad "an argument too many" "'take' has no argument 3: in a.c it has 2 parameters" 2 '
lock { arg = 3, acquire = "take", release = "drop" }'
bad "one parameter" "'drop' has no argument 2: in a.c it has 1 parameter;" 3 '
lock { arg = 1, acquire = "take" }
lock { arg = 2, release = "drop" }'
bad "a choice by an argument" "'drop' has no argument 2" 2 '
lock { arg = 1, acquire = "take", release = "drop", when = { 2, "HOW" } }'
bad "flags" "'take' has no argument 4" 1 'lock { arg = 1, acquire = "take", release = "drop", flags = 4, disables = "interrupts" }'
bad "a handler" "'start' has no argument 3" 1 'registers { "start", arg = 3, context = "thread" }'
bad "what a handler is given" "'start' has no argument 5" 1 'registers { "start", arg = 1, data = 5, context = "thread" }'
bad "an unknown key" "unknown key 'aquire'" 1 'lock { arg = 1, aquire = "take", release = "drop" }'
bad "a pattern that does not compile" "is not usable" 2 '
lock { arg = 1, acquire = "^tak(e", release = "drop" }'
bad "a lock nobody releases" "no declaration releases" 1 'lock { kind = "semaphore", arg = 1, acquire = "take" }'
bad "a contradiction" "contradicts line 1" 2 'lock { arg = 1, acquire = "take", release = "drop" }
lock { arg = 1, release = "take" }'
same "what an earlier run found is still there" "$("$RACERX" semaphores --db x.db)" "$before"

# good NAME SCRIPT: this one is not refused
good() {
    printf '%s\n' "$2" >fine.lua
    run run --quiet --db y.db --annotator fine.lua tree
    expect "$1" 0
}
good "a function without a prototype may have any" 'lock { arg = 7, acquire = "old", release = "drop_old" }'
good "and so may one with three dots" 'lock { arg = 5, acquire = "any", release = "drop_any" }'
good "a macro that is kept has what its calls have" 'lock { arg = 3, acquire = "kept", release = "unkept" }'
good "a function nobody declares is not judged" 'lock { arg = 9, acquire = "elsewhere", release = "there" }'
good "a pattern is not judged by what else it matches" 'lock { arg = 2, acquire = "^log_", release = "unlog" }'
finish
