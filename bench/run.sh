#!/usr/bin/env bash
# run.sh: measures every stage on trees of C, and puts the bars beside the numbers.
#
#   bench/run.sh [--build DIR] [-j N] TREE...
#
# What is measured, and against what, is in bench/README.md. The trees are not written to:
# everything runs on a copy (hard links where that is possible; files are replaced there,
# never changed in place) under $TMPDIR. Logs and lists stay in DIR/bench/TREE/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=build jobs=$(nproc)
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2 && shift 2 ;;
    -j) jobs=$2 && shift 2 ;;
    -*) sed -n '2,4p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { echo "bench: name a tree: make bench TREES=\"DIR ...\"" >&2 && exit 2; }
build=$(cd "$build" && pwd)
racerx=$build/racerx
export LC_ALL=C RACERX_NO_PROGRESS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# -j1 against -jN only on trees with at most this many .c files: it costs two more extractions.
small_tree=4000

. "$here/tools.inc"

functions() { "$racerx" functions --db "$1" --format jsonl; }

# The steps -----------------------------------------------------------------------

copy_tree() { # the user's tree -> $tree
    mkdir -p "$work/tree"
    tree=$work/tree/$(basename "$1")
    cp -al "$1/." "$tree" 2>/dev/null || { rm -rf "$tree" && cp -a "$1/." "$tree"; }
    (cd "$tree" && find . -type f -name '*.c' ! -name '*
*' | sed 's|^\./||' | sort) >"$out/files"
    count=$(wc -l <"$out/files")
}

measure_parse() {
    # Both sides are to find the files in memory.
    (cd "$tree" && find . -type f -name '*.[ch]' -exec cat {} + >/dev/null)
    (cd "$tree" && "$build/bench/bare_parse" -j "$jobs" - <"$out/files") >"$out/bare_parse"
}

measure_coverage() {
    functions "$db" >"$out/functions.jsonl"
    (cd "$tree" && ctags --options=NONE --languages=C --langmap=C:.c --kinds-C=f --fields=+ne --excmd=number \
        --sort=no -L "$out/files" -f "$out/tags" 2>"$out/ctags.log")
    lua5.4 "$here/coverage.lua" "$tree" "$out/tags" "$out/functions.jsonl" "$out/misses.txt" >"$out/coverage"
}

# replace FILE COMMAND... : the command's output on FILE becomes a new file of that name, so that a
# hard link to the user's file is left alone.
replace() {
    local file=$1
    shift
    "$@" <"$file" >"$file.racerx-bench"
    mv -f "$file.racerx-bench" "$file"
}

touch_source() {
    touched=$(sed -n "$((count / 2 + 1))p" "$out/files")
    replace "$tree/$touched" sed '$a\
/* changed by bench */'
    extract touched --db "$db" -j "$jobs"
}

# A macro that is a plain number, defined once, in no other #define and no #if, and used by a few .c files:
# by three at least when there is such a one among forty headers.
pick_macro() {
    local header name users step
    (cd "$tree" && find . -type f -name '*.h' | sed 's|^\./||' | sort) >"$out/headers"
    step=$(($(wc -l <"$out/headers") / 40 + 1))
    while IFS= read -r header; do
        name=$(sed -n 's/^#define[ 	][ 	]*\([A-Z][A-Z0-9_]\{4,\}\)[ 	][ 	]*[0-9][0-9]*[ 	]*$/\1/p' "$tree/$header" | head -n 1)
        [ -n "$name" ] || continue
        (cd "$tree" && grep -rlwF --include='*.[ch]' -e "$name" . || true) | sed 's|^\./||' | sort >"$out/macro_users"
        users=$(grep -c '\.c$' "$out/macro_users" || true)
        [ "$users" -ge 1 ] && [ "$users" -le 60 ] || continue
        [ "$(cd "$tree" && xargs -d '\n' grep -hwE "^[[:space:]]*#.*$name" <"$out/macro_users" | wc -l)" = 1 ] || continue
        [ -z "$macro" ] || [ "$users" -ge 3 ] || continue
        macro=$name macro_header=$header
        cp "$out/macro_users" "$out/macro_files"
        [ "$users" -lt 3 ] || return 0
    done < <(awk -v step="$step" 'NR % step == 0' "$out/headers")
    [ -n "$macro" ]
}

change_macro() {
    replace "$tree/$macro_header" sed "s/^\(#define[ 	][ 	]*${macro}[ 	][ 	]*\)\([0-9][0-9]*\)/\1(\2 + 0)/"
    extract macro --db "$db" -j "$jobs"
}

# Fresh with one thread against brought up to date with several: functions, and the dumps of some files.
compare_runs() {
    extract fresh --db "$work/fresh.db" -j 1
    functions "$db" >"$work/a"
    functions "$work/fresh.db" >"$work/b"
    cmp -s "$work/a" "$work/b" || return 1
    awk -v step="$((count / 10 + 1))" 'NR % step == 0' "$out/files" >"$work/sample"
    while IFS= read -r file; do
        "$racerx" dump --db "$db" "$file" >"$work/a"
        "$racerx" dump --db "$work/fresh.db" "$file" >"$work/b"
        cmp -s "$work/a" "$work/b" || return 1
    done <"$work/sample"
}

# The table -----------------------------------------------------------------------

# ratio_row WORDS SECONDS PARSE BAR: under a second the clock says nothing.
ratio_row() {
    local ratio verdict
    ratio=$(calculate %.2f "$2 / ($3 > 0 ? $3 : 0.01)")
    if holds "$3 >= 1"; then verdict=$(judge "$ratio <= $4"); else verdict="(too short to judge)"; fi
    row "$1" "$ratio" "<= $4" "$verdict"
}

report() {
    local parse wall memory second again again_verdict
    parse=$(value seconds "$out/bare_parse")
    wall=$(value wall "$out/cold.measure")
    memory=$(value rss_kib "$out/cold.measure")
    second=$(value wall "$out/second.measure")
    row "functions ctags finds, extracted" "$(value covered_percent "$out/coverage") %" ">= 99.5 %" \
        "$(judge "$(value covered_percent "$out/coverage") >= 99.5")"
    row "  by their name" "$(value by_name "$out/coverage") of $(value ctags_functions "$out/coverage")"
    row "  by a macro that writes their header" "$(value by_macro "$out/coverage")"
    row "  missed (misses.txt)" "$(value missed "$out/coverage")"
    row "bytes of function bodies lost" "$(value lost_percent "$out/coverage") %" "<= 0.3 %" \
        "$(judge "$(value lost_percent "$out/coverage") <= 0.3")"
    row "  in statements not understood" "$(value lost_statement_percent "$out/coverage") %"
    row "bare parse" "$parse s"
    row "extraction" "$wall s"
    again=$(calculate %.3f "$second / ($wall > 0 ? $wall : 0.01)")
    ratio_row "extraction / bare parse" "$wall" "$parse" 2.5
    if holds "$parse >= 1"; then again_verdict=$(judge "$again <= 0.05"); else again_verdict="(too short to judge)"; fi
    row "second run / first" "$again" "<= 0.05" "$again_verdict"
    row "peak memory" "$(calculate %.2f "$memory / 1048576") GiB" "<= 6 GiB" "$(judge "$memory <= 6 * 1048576")"
    row "parsed again: nothing changed" "$(statistic 'parsed now' "$out/second.stats")" "= 0" \
        "$(judge "\"$(statistic 'parsed now' "$out/second.stats")\" == \"0\"")"
    again=$(statistic 'parsed now' "$out/touched.stats")
    row "parsed again: one .c changed" "$again" "= 1" "$(judge "\"$again\" == \"1\"")"
    if [ -n "$macro" ]; then
        again=$(statistic 'parsed now' "$out/macro.stats")
        row "parsed again: $macro" "$again" "<= $(wc -l <"$out/macro_files")" \
            "$(judge "${again:-0} >= 1 && ${again:-0} <= $(wc -l <"$out/macro_files")")"
    else
        row "parsed again: a macro in a header changed" "-" "" "(no macro to try here)"
    fi
    row "fresh -j1 = brought up to date -j$jobs" "$same" "= identical" "$(case $same in identical) echo ok ;; different) echo MISSED ;; esac)"
}

# Linking, walking, findings: against the bare parse of the same run.
report_analysis() {
    local parse=$1 whole wall memory all name cycles
    wall=$(value wall "$out/check.measure")
    cycles=$(value wall "$out/locks.measure")
    memory=$(value rss_kib "$out/check.measure")
    whole=$(calculate %.2f "$(value wall "$out/cold.measure") + $wall")
    all=$(larger "$memory" "$(value rss_kib "$out/cold.measure")")
    for name in link skeletons walk findings; do
        row "  $name" "$(stage "$name" s "$out/locks.stats") s" "" "most memory so far $(stage "$name" GiB "$out/locks.stats") GiB"
    done
    row "  lock-order constraints" "$(statistic 'unique lock-order constraints' "$out/check.stats")"
    row "  findings, all of them" "$(wc -l <"$out/check.jsonl")"
    row "link + walk + cycles" "$cycles s"
    ratio_row "link + walk + cycles / bare parse" "$cycles" "$parse" 1.0
    row "the same with races" "$wall s"
    row "  peak memory" "$(calculate %.2f "$memory / 1048576") GiB" "<= 10 GiB" "$(judge "$memory <= 10 * 1048576")"
    row "whole pipeline" "$whole s"
    ratio_row "whole pipeline / bare parse" "$whole" "$parse" 4.0
    row "  peak memory" "$(calculate %.2f "$all / 1048576") GiB" "<= 12 GiB" "$(judge "$all <= 12 * 1048576")"
}

bench_tree() {
    out=$build/bench/$(basename "$1")
    rm -rf "$out"
    mkdir -p "$out"
    db=$work/trees.db macro='' same='-'
    rm -rf "$work"/tree "$work"/*.db*
    echo "$(basename "$1"): copying" >&2
    copy_tree "$1"
    [ "$count" -gt 0 ] || { echo "$1: no .c files" && return 0; }
    echo "$(basename "$1"): bare parse" >&2
    measure_parse
    echo "$(basename "$1"): extraction" >&2
    extract cold --db "$db" -j "$jobs" || return 1
    extract second --db "$db" -j "$jobs" || return 1
    echo "$(basename "$1"): analysis" >&2
    analyse locks --no-races --db "$db" -j "$jobs" || return 1
    analyse check --db "$db" -j "$jobs" || return 1
    echo "$(basename "$1"): coverage" >&2
    measure_coverage
    echo "$(basename "$1"): changes" >&2
    touch_source || return 1
    if pick_macro; then change_macro || return 1; fi
    if [ "$count" -le "$small_tree" ]; then
        if compare_runs; then same=identical; else same=different; fi
    fi
    printf '\n%s: %s .c files, %s bytes, -j%s; details in %s\n' "$(basename "$1")" "$(value files "$out/bare_parse")" \
        "$(value bytes "$out/bare_parse")" "$jobs" "${out#"$PWD/"}"
    row what measured bar
    report
    report_analysis "$(value seconds "$out/bare_parse")"
    echo
}

failed=0
for one; do
    [ -d "$one" ] || { echo "bench: $one: no such directory" >&2 && exit 2; }
    one=$(cd "$one" && pwd)
    bench_tree "$one" || failed=1
done
exit $failed
