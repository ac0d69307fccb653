#!/bin/bash
# Large, deep and hostile programs: nothing overflows, limits are said, threads do not show.
. "$(dirname "$0")/../cli/common.inc"
value() { sed -n "s/^ *$1  *\([0-9,]*\).*/\1/p" <<<"$err" | head -n 1; }

# A chain of 50,000 calls, and a circle of 50,000.
mkdir deep
awk 'BEGIN { print "int f50000(int x) { return x; }"
    for (i = 49999; i >= 0; i--) printf "int f%d(int x) { return f%d(x + 1); }\n", i, i + 1 }' >deep/chain.c
awk 'BEGIN { for (i = 0; i < 50000; i++) printf "int g%d(int x) { return g%d(x + 1); }\n", i, (i + 1) % 50000 }' >deep/circle.c
run extract -q deep
expect extract-deep 0
run roots --stats
same deep-roots "$out" 'chain.c:50001  f0  unknown
circle.c:1  g0  unknown'
same deep-largest "$(value 'functions in the largest')" 50,000
same deep-components "$(value 'components of the call graph')" 50,002
rm -rf .racerx deep

# More functions in a field than a call takes; a typedef, a struct and an initialiser that go round.
mkdir wide
awk 'BEGIN { print "struct ops { int (*run)(int); }; int first(struct ops *o) { return o->run(1); }"
    for (i = 0; i < 600; i++) printf "static int h%d(int x) { return x; } struct ops o%d = { h%d };\n", i, i, i
    print "typedef struct loop loop_t; struct loop { loop_t *next; struct { struct { int deep; }; }; };"
    print "typedef round_b round_a; typedef round_a round_b; int cycle(round_a *r, loop_t *l) { r->x = 1; return l->next->deep; }"
    print "int self(int c) { typeof(same) same = 0; typeof(b) a; typeof(a) b; a->x = b->y; return c; }" }' >wide/wide.c
run extract -q wide
run callees --stats first
same cut "$(grep -c 'more were left out' <<<"$out")" 512
same cut-counted "$(value 'not all of them taken')" 1
same cut-most "$(value 'functions at most')" 512
run dump --types wide.c:cycle
[[ $out == *"# struct loop.deep"* ]] && ok anonymous || not_ok anonymous "$out"
run dump --types wide.c:self
expect typeof-circle 0
run roots
same left-out-are-roots "$(grep -c ' h[0-9]* ' <<<"$out")" 88
rm -rf .racerx wide

# The number of threads and the order of files do not show.
mkdir -p many
for i in $(seq 0 40); do
    mkdir -p "many/d$((i % 5))"
    printf 'struct ops { int (*go)(int); };\nextern struct ops *list[];\nstatic int here%d(int x) { return common(x); }\n' "$i"
    printf 'struct ops ops%d = { here%d };\nint common(int x) { return list[x]->go(x) + here%d(1); }\n' "$i" "$i" "$i"
    printf 'int only%d(int x) { return common(x) + only%d(x); }\n' "$i" "$(((i + 7) % 41))"
done >many/all.c
split -l 6 -d -a 3 --additional-suffix=.c many/all.c many/d1/part
rm many/all.c
run extract -q many
for function in common only3; do
    run callees -j 1 --format jsonl "$function"
    one=$out
    run callees -j 7 --format jsonl "$function"
    same "threads-$function" "$out" "$one"
done
run roots -j 1
one=$out
run roots -j 7
same threads-roots "$out" "$one"
rm -rf .racerx many

# Databases with nothing in them, and damaged ones.
mkdir empty
printf '\n' >empty/empty.c
run extract -q empty
run roots
expect no-functions 0
same no-functions-text "$out" ""
run roots --db nonesuch.db
expect_line no-database 2 "there is no database"
printf 'int f(int x) { return g(x); }\n' >empty/empty.c
run extract -q empty
sqlite3 .racerx/racerx.db "update trees set head = substr(head, 1, length(head) - 3)" 2>/dev/null || { echo "ok damaged # no sqlite3"; finish; }
run roots
expect_line damaged 2 "is damaged"
finish
