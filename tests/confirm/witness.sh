#!/bin/bash
# What is true is witnessed, on a few programs of each sort, and what is repaired never is. `make bench-confirm` does it
# with all of them.
. "$(dirname "$0")/common.inc"

for name in missing_lock both_sides reference_count memory_calls; do
    cp "$root/tests/races/posix/$name.c" . && built "$name" && steered "$name"
    expect_outcome "$name" race witnessed
done
for name in accounts circle_four; do
    cp "$root/tests/deadlocks/order/$name.c" . && built "$name" && steered "$name"
    expect_outcome "$name" deadlock witnessed
done
cp "$root/tests/deadlocks/wait/join_locked.c" . && built join_locked && steered join_locked
expect_outcome join_locked deadlock witnessed
cp "$root/tests/deadlocks/double/recursive_mutex.c" . && built recursive_mutex && steered recursive_mutex
expect_outcome recursive_mutex double-lock witnessed

# The same findings on the repaired program, built under the first one's name; and its own, of a text without locks.
for path in races/posix/missing_lock races/posix/reference_count deadlocks/order/accounts deadlocks/wait/join_locked; do
    name=$(basename "$path")
    cp "$root/tests/${path}_repaired.c" "$name.c" && built "$name" && steered "$name" --runs 5
    grep -q '"outcome":"witnessed"' "$name.out" && not_ok "$name repaired" "$(head -c 600 "$name.out")" || ok "$name repaired"
    sed -E 's/\bpthread_mutex_(un)?lock\(/(void)(/' "$root/tests/${path}_repaired.c" >"$name.c"
    rm -f "$name.db"
    steered "$name" --runs 5
    [ -s "$name.out" ] && ! grep -q '"outcome":"witnessed"' "$name.out" && ok "$name repaired, its own" ||
        not_ok "$name repaired, its own" "$(head -c 600 "$name.out")"
done
exit $((failures > 0))
