#!/bin/bash
# The programs in the folders beside it, by kind: each C file, and each directory, is a program, run against the
# verdicts on its lines: see tests/verdict. A file that is dropped into any of the folders is run; one beside them is a mistake.
shopt -s nullglob extglob
cd "$(dirname "$0")/../.." || exit 2
for lost in tests/deadlocks/!(*_test).c tests/races/!(*_test).c; do
    echo "not ok $lost: no script runs it here: put it into a folder" && exit 1
done
exec tests/verdict tests/deadlocks/*/*.c tests/deadlocks/*/*/
