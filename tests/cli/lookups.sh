#!/bin/bash
# Look-ups answer from what `run` kept in the database; the same as a linked program would, and never with old news.
. "$(dirname "$0")/common.inc"
command -v sqlite3 >/dev/null || { echo "no sqlite3"; exit 77; }
mkdir tree
cat >tree/ops.h <<'E2'
struct ops { int (*run)(int); };
E2
{
    echo '#include <pthread.h>'
    echo '#include "ops.h"'
    echo 'pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;'
    echo 'static int total;'
    for i in $(seq 20); do # more targets than a row holds itself
        echo "static int work$i(int x) { pthread_mutex_lock(&big); total += x; pthread_mutex_unlock(&big); return x; }"
        echo "struct ops ops$i = { .run = work$i };"
    done
    echo 'int each(struct ops *o) { return o->run(1) + o->run(2); }'
    echo 'static void *loop(void *x) { each(x); outside(work3); return 0; }'
    echo 'int main(void) { pthread_t t; pthread_create(&t, 0, loop, &ops1); total = 5; loop(&ops2); return 0; }'
} >tree/prog.c
run run -q tree
expect run 0
ask() { # every look-up there is; with --stats the program is linked for it
    local format
    for format in text jsonl; do
        for function in work3 each loop main; do
            "$RACERX" callers "$@" --format $format $function 2>/dev/null
            "$RACERX" callees "$@" --format $format $function 2>/dev/null
        done
        "$RACERX" roots "$@" --format $format 2>/dev/null
        "$RACERX" functions "$@" --format $format 2>/dev/null
        "$RACERX" functions "$@" --format $format 'w*1' 2>/dev/null
    done
}
kept() { sqlite3 .racerx/racerx.db "SELECT count(*) FROM meta WHERE name = 'derived-$1'"; }
same atlas-kept "$(kept atlas)" 1
ask >kept.txt
same many-targets "$("$RACERX" callers work3 | grep -c 'each  (through a pointer)')" 2
same given "$("$RACERX" callees loop | grep -c 'given work3')" 1
ask --stats >linked.txt
same linked-is-the-same "$(cmp kept.txt linked.txt && echo yes)" yes
for command in 'locks' 'locks --format jsonl' 'roots --registrations'; do
    "$RACERX" $command >first.txt
    "$RACERX" $command >second.txt
    same "$command" "$(cmp first.txt second.txt && echo yes)" yes
done
same locks-kept "$(kept locks)" 1

# A look-up works while somebody else writes: its answer is not kept then.
run extract -q --define X tree
: >.racerx/racerx.db.lock
run locks
expect locks-while-locked 0
same not-kept-while-locked "$(kept locks)" 0
rm -f .racerx/racerx.db.lock
run check -q

# New text, new answers.
echo 'int extra(void) { return each(&ops3); }' >>tree/prog.c
run extract -q tree
expect extract 0
same gone-with-the-files "$(kept atlas)$(kept locks)" 00
same fresh "$("$RACERX" callers each | grep -c ' extra')" 1
run check -q
same fresh-kept "$("$RACERX" callers each | grep -c ' extra')" 1
same atlas-again "$(kept atlas)" 1

# A new script, new answers: also when nothing is read again.
same root-before "$("$RACERX" functions --format jsonl extra | grep -c '"interrupt"')" 0
echo 'annotate(function(p) mark(p:functions("^extra$"), "interrupt") end)' >tree/racerx.lua
same script "$("$RACERX" functions --format jsonl extra | grep -c '"interrupt"')" 1
run check -q
same script-kept "$("$RACERX" functions --format jsonl extra | grep -c '"interrupt"')" 1
same without-script "$("$RACERX" functions --no-config --format jsonl extra | grep -c '"interrupt"')" 0
echo 'lock { acquire = "each", arg = 1 }' >>tree/racerx.lua
same locks-fresh "$("$RACERX" locks | grep -c ' each ')" 1

# What show needs of the sources is found without all of them.
run show 1
expect show 0
same excerpt "$(grep -c 'prog.c' <<<"$out" | sed 's/^[1-9][0-9]*$/some/')" some
finish
