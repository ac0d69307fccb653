#!/bin/bash
# Traces of kernels, as text: the paper's columns, on a few lines written by hand.
. "$PWD/tests/cli/common.inc"
# line CPU EVENT...: as the tracer prints it
line() { printf ' some:task-%d    [%03d] ...1. 12.345678: %s\n' $((100 + $1)) "$1" "${*:2}"; }
access() { line "$1" "mem_read_write: ip=$2, ptr=$3, size=8, type=$4, val=0"; }
mkdir corpus
# Input 1 writes place 10 under lock a0 in each run, and place 20 under none; place 30 in one run of two.
for file in 1_2.1.t0 1_3.2.t1; do
    cpu=${file##*.t}
    {
        echo '# tracer: nop'
        line "$cpu" "lock_acquire: ffa0 &a"
        line "$cpu" "lock_acquired: ffa0 &a"
        access "$cpu" ff01 ff10 1
        line "$cpu" "lock_release: ffa0 &a"
        line "$cpu" "lock_acquire: ffcc read rcu_read_lock"
        access "$cpu" ff02 ff20 33
        line "$cpu" "lock_release: ffcc rcu_read_lock"
        access "$cpu" ff09 ff90 4
        access "$cpu" ff09 ff90 512
        access $((1 - cpu)) ff08 ff80 1
        [ "$cpu" = 1 ] || access "$cpu" ff03 ff30 1
        echo ' no such line'
    } >"corpus/$file"
done
# Input 2, beside itself: reads place 10 under lock b0, and place 20.
for cpu in 0 1; do
    line $cpu "lock_acquire: ffb0 try read &b"
    access $cpu ff11 ff10 0
    line $cpu "lock_release: ffb0 &b"
    access $cpu ff12 ff20 0
done >corpus/2_2.1.t0
run predict --format jsonl corpus
expect "a kernel's trace" 0
# 1: 10w{a} 20w 30w; 2: 10r{b} 20r. All but 30 in every sample, 30 in half. Pairs: 1-11, 2-12, and with themselves 2, 3.
jq -e '.samples == 4 and .access_locksets == 5 and .stable == 5 and .linear == 5 and .violating == 3 and .pairs == 4' <<<"$out" >/dev/null &&
    ok "columns" || not_ok "columns" "$out"
run predict --format jsonl --beta 0.6 corpus
jq -e '.stable == 4 and .linear == 4 and .pairs == 3' <<<"$out" >/dev/null && ok "beta" || not_ok "beta" "$out"
mkdir whole && mv corpus whole/raw_traces
run predict whole
[[ $out == "4 samples: 5 access-locksets, 5 stable"*"4 pairs of instructions"* ]] && ok "as text" || not_ok "as text" "$out"
exit $((failures > 0))
