#!/bin/bash
# Limits are counted by name: --stats and the facts of a report say which were hit.
set -u
: "${RACERX:?is the program to test}" "${TMP:?is a directory to work in}"
failures=0
expect() { # name pattern file
    grep -q "$2" "$3" && echo "ok $1" || { echo "not ok $1: no '$2' in $(head -c 600 "$3")"; failures=1; }
}
{
    echo 'static DEFINE_SPINLOCK(a); static int c[24], count;'
    for i in $(seq 1 24); do echo "void g$i(int n) { if (c[n] > $i) count++; spin_lock(&a); spin_unlock(&a); }"; done
    echo 'static void (*table[])(int) = {'; for i in $(seq 1 24); do echo "g$i,"; done; echo '};'
    echo 'void all(int n) { spin_lock(&a); spin_unlock(&a); table[n](n); }'
} >"$TMP/wide.c"
"$RACERX" run --stats --all --db "$TMP/wide.db" --format sarif "$TMP/wide.c" >"$TMP/wide.sarif" 2>"$TMP/wide.err"
expect stats 'calls with too many targets (16): 1 times' "$TMP/wide.err"
expect fact '"calls with too many targets": *"1"' "$TMP/wide.sarif"
exit $failures
