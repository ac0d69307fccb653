#!/bin/bash
# The same findings, byte by byte, for any number of threads, any order of work, and a database that is there already.
# (bench/differential.py does this to a real tree; tests/extract/same.sh to what was read.)
root=$PWD
. "$(dirname "$0")/common.inc"
mkdir tree tree/sub
cp "$root"/tests/races/posix/[a-d]*.c tree
cp "$root"/tests/deadlocks/order/[a-f]*.c tree/sub
"$RACERX" run -q -j1 --all --format jsonl --db one.db tree >wanted
[ "$(wc -l <wanted)" -gt 20 ] && ok "there are findings" || not_ok "there are findings" "$(wc -l <wanted)"
alike() { # NAME: the last run gave the same
    cmp -s .out wanted && [ "$status" -eq 0 ] && ok "$1" || not_ok "$1" "status $status, $(cmp .out wanted 2>&1)"
}
for jobs in 2 5; do
    run run -q -j$jobs --all --format jsonl --db many.db tree
    alike "-j$jobs"
    rm -f many.db
done
for seed in 1 2 3; do
    RACERX_SHUFFLE=$seed run run -q -j3 --all --format jsonl --db many.db tree
    alike "in the order of seed $seed"
    rm -f many.db
done
run run -q -j1 --all --format jsonl --db one.db tree
alike "read before"
run check -q -j4 --all --format jsonl --db one.db
alike "only looked for again"
finish
