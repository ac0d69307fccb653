#!/bin/bash
# Call chains of 50,000 functions, straight and closed to a circle: no stack overflows, and the order that
# begins at one end of the chain and ends at the other is still seen.
set -u
: "${RACERX:?is the program to test}" "${TMP:?is a directory to work in}"
failures=0
DEPTH=50000

# chain LAST: what the last function of the chain does besides taking the second lock
chain() {
    awk -v depth="$DEPTH" -v last="$1" 'BEGIN {
        print "static DEFINE_SPINLOCK(a);\nstatic DEFINE_SPINLOCK(b);\nstatic int count;"
        print "void f" depth "(int n) { spin_lock(&b); count += n; spin_unlock(&b); " last " }"
        for (i = depth - 1; i > 0; i--)
            print "static void f" i "(int n) { if (n) f" i + 1 "(n - 1); }"
        print "void f0(int n) { spin_lock(&a); f1(n); spin_unlock(&a); }"
        print "void g(void) { spin_lock(&b); spin_lock(&a); count++; spin_unlock(&a); spin_unlock(&b); }"
    }'
}

# try NAME: the file $TMP/NAME.c has its deadlock
try() {
    local status
    timeout 200 "$RACERX" run --format jsonl --all --quiet --db "$TMP/$1.db" "$TMP/$1.c" >"$TMP/out" 2>"$TMP/err"
    status=$?
    if [ "$status" != 0 ]; then
        echo "not ok $1: status $status: $(tail -n 1 "$TMP/err" | cut -c 1-200)"
    elif ! grep -q '"kind":"deadlock"' "$TMP/out"; then
        echo "not ok $1: no deadlock was found"
    else
        echo "ok $1" && return
    fi
    failures=$((failures + 1))
}

chain "" >"$TMP/straight.c"
try straight
chain "if (n > 1) f1(n);" | sed "1i void f1(int n);" | sed 's/^static void f1(/void f1(/' >"$TMP/circle.c"
try circle
exit $((failures > 0))
