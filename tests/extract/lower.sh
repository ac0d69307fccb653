#!/bin/bash
# Lowering and the tree format, on the cases of lower/: their dumps, and their encodings with bytes changed.
program=${BUILD:-build}/tests/extract/lower_test
[ -x "$program" ] || { echo "not built: $program" && exit 77; }
"$program" --check tests/extract/lower/*.c && "$program" --mangle tests/extract/lower/*.c >/dev/null
