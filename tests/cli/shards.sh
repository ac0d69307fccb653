#!/bin/bash
# Extraction in shares: what is put together is what one run reads, to the byte, and nothing is parsed twice.
. "$(dirname "$0")/common.inc"
mkdir -p tree/sub
for i in $(seq 12); do
    cat >tree/sub/f$i.c <<E2
#include "common.h"
LOCKED(count$i)
void *thread$i(void *x) { add_count$i(); count$i = 0; return x; }
E2
done
cat >tree/sub/common.h <<'E2'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED(name) static int name; static void add_##name(void) { pthread_mutex_lock(&lock); name++; name += 2; pthread_mutex_unlock(&lock); }
E2
{
    echo '#include <pthread.h>'
    for i in $(seq 12); do echo "void *thread$i(void *);"; done
    echo 'int main(void) { pthread_t t;'
    for i in $(seq 12); do echo "pthread_create(&t, 0, thread$i, 0); pthread_create(&t, 0, thread$i, 0);"; done
    echo '}'
} >tree/main.c
printf 'int odd;\001\001\001\001\001\001\001\001\001\001\001' >tree/binary.c
run run -q --db whole.db --format jsonl --all tree
expect whole 0
cp "$work/.out" whole.jsonl
for i in 1 2 3; do
    run extract --shard $i/3 --db part$i.db tree
    expect shard-$i 0 "share $i/3 is read"
done
run check --db part1.db
expect a-part-is-no-whole 2 'no finished run'
run link --db joined.db part1.db part2.db part3.db
expect link 0 '14 trees of 3 parts'
run run --db joined.db --format jsonl --all --stats tree
expect joined 0
cp "$work/.out" joined.jsonl
same findings "$(cmp whole.jsonl joined.jsonl && echo same)" same
same nothing-parsed "$(sed -n 's/^ *parsed now *\([0-9]*\).*/\1/p' <<<"$err")" 0
same functions "$(functions joined.db)" "$(functions whole.db)"
run link --db joined.db part1.db part2.db part3.db
expect link-again 0 '0 trees of 3 parts'
run run --db joined.db --format jsonl --all tree
same again "$(cmp whole.jsonl "$work/.out" && echo same)" same
# Not all of them: the rest is read.
run link --db two.db part1.db part3.db
run run -q --db two.db --format jsonl --all tree
same two-of-three "$(cmp whole.jsonl "$work/.out" && echo same)" same
for wrong in 0/3 4/3 3 a/b 1/x; do
    run extract --shard $wrong --db wrong.db tree
    expect "wrong-$wrong" 2 'is no share'
done
run link
expect link-needs-parts 2 'link needs'
run link gone.db
expect link-gone 2 'there is no database'
finish
