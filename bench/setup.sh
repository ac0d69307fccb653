#!/usr/bin/env bash
# setup.sh: from an unpacked tree to its first list, with no hand edit: how long it takes, and what comes out.
#
#   bench/setup.sh [--build DIR] TREE...
#
# A row for each tree: `racerx init` (which reads the tree) and `racerx run` after it, in seconds; the declarations that
# init wrote, active ones; the functions where control starts; the findings above the ranking's line; the presets. The tree is
# not written to. Bar: both together under 5 minutes.
set -eu
build=build
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2 && shift 2 ;;
    -*) sed -n '2,4p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { echo "bench: name a tree: make bench-setup TREES=\"DIR ...\"" >&2 && exit 2; }
racerx=$(cd "$build" && pwd)/racerx
export LC_ALL=C RACERX_NO_PROGRESS=1 TIMEFORMAT=%R
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-18s %8s %9s %7s %7s %6s %7s %9s  %s\n' tree files functions init run rows roots findings presets
for tree in "$@"; do
    rm -f "$work"/*
    init=$({ time "$racerx" init -o "$work/racerx.lua" --db "$work/db" "$tree" >"$work/init" 2>"$work/err"; } 2>&1) ||
        { cat "$work/err" >&2; exit 1; }
    run=$({ time "$racerx" run -q --no-config --annotator "$work/racerx.lua" --db "$work/db" --top 1 "$tree" >"$work/run" 2>"$work/err"; } 2>&1) ||
        { cat "$work/err" >&2; exit 1; }
    rows=$(sed -n 's/^in all  *\([0-9]*\) .*/\1/p' "$work/init")
    roots=$("$racerx" roots --no-config --annotator "$work/racerx.lua" --db "$work/db" | grep -c .)
    findings=$(tr '\n' ' ' <"$work/run" | sed -n 's/.* \([0-9][0-9]*\) findings*[:;].*/\1/p')
    printf '%-18s %8s %9s %7s %7s %6s %7s %9s  %s\n' "$(basename "$tree")" \
        "$(sed -n 's/^\([0-9,]*\) files and .*/\1/p' "$work/run")" "$(sed -n 's/.* and \([0-9,]*\) functions read.*/\1/p' "$work/run")" \
        "$init" "$run" "$rows" "$roots" "${findings:-0}" "$(sed -n 's/.*lock tables: //p' "$work/run")"
done
