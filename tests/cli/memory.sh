#!/bin/bash
# Too little memory is said in one line, with status 2: it is nobody's bug. (Which allocation fails makes no difference:
# tests/faults/faults makes each of them fail.)
root=$PWD
. "$(dirname "$0")/common.inc"
case $RACERX in */build-*) echo "a sanitizer takes terabytes of addresses" && exit 77 ;; esac
mkdir tree
cp "$root"/tests/races/posix/[a-d]*.c tree
run run -q -j1 --db good.db --format jsonl tree
wanted=$out
said=0
for kib in 30000 40000 60000 120000 400000 1000000 1100000 1150000 4000000; do
    rm -f m.db*
    (ulimit -v $kib && exec "$RACERX" run -q -j1 --db m.db --format jsonl tree) >.out 2>.err
    status=$? out=$(cat .out) err=$(cat .err)
    if [ "$status" -eq 0 ]; then
        same "enough at $kib KiB" "$out" "$wanted"
    else
        expect_line "too little at $kib KiB" 2 "memory"
        said=$((said + 1))
    fi
done
[ "$said" -gt 1 ] && [ "$said" -lt 9 ] && ok "some were too little, some enough" || not_ok "some were too little, some enough" "$said of 9"
# What a file may take grows with its size, not faster: 240 bytes for each of its own.
perl -e 'print "int f$_(){", "a=b;" x 20000, "}\n" for 1 .. 35' >wide.c
(ulimit -v 700000 && exec "$RACERX" extract -q -j1 --db w.db wide.c) >.out 2>.err
status=$? err=$(cat .err)
expect "2.8 MB of statements in 700 MB" 0
run run -q -j1 --db m.db --format jsonl tree
same "with more of it" "$out" "$wanted"
finish
