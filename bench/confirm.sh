#!/usr/bin/env bash
# confirm.sh [--build DIR] [--runs N] [--with COMPILER] [--flags FLAGS] PROGRAM.c...: how many true findings of small
# programs `racerx confirm` witnesses, and whether it ever witnesses what cannot happen.
#
# Each program is built and steered. A finding is true when a line of it has its verdict (RACE, DEADLOCK, DOUBLE-LOCK:
# see tests/verdict); of programs named *_repaired.c none is. So that these have findings at all, the *analysis* is given
# a copy of them without any call that locks, on the same lines; the program that runs is as it is.
# Besides, findings of a program are tried on its repaired twin, which is built under the name of the first.
# Prints a line for each finding, tab-separated (program, true or false, kind, line, outcome, runs), then the counts.
# Programs that do not compile, or have no main(), are counted as such.
set -u
build=build runs=10 compiler=gcc flags=-O1
while :; do
    case ${1:-} in
    --build) build=$2 && shift 2 ;;
    --runs) runs=$2 && shift 2 ;;
    --with) compiler=$2 && shift 2 ;;
    --flags) flags=$2 && shift 2 ;;
    *) break ;;
    esac
done
racerx=$(realpath "${RACERX:-$build/racerx}")
work=$(mktemp -d "${TMP:-/tmp}/confirm.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C RACERX_NO_PROGRESS=1

# The same lines, and nobody locks.
unlocked() {
    sed -E 's/\b(pthread_(mutex|rwlock|spin)_(lock|unlock|rdlock|wrlock|trylock)|mtx_(lock|unlock|trylock)|sem_(wait|post)|pthread_(join|barrier_wait|cond_wait))\(/(void)(/g' "$1"
}

# outcomes SHOWN-NAME FOLDER: steers FOLDER/prog by the findings of db.db; a line for each.
outcomes() {
    (cd "$2" && "$racerx" confirm --all --top 50 --runs "$runs" --time 120s --run-time 10s --format jsonl --db "$work/db.db" -- ./prog) \
        >"$work/outcomes" 2>"$work/why" || { printf '%s\t-\t-\t-\tfailed\t0\n' "$1" && cat "$work/why" >&2; }
    jq -r --slurpfile all "$work/findings" '. as $o | ($all[] | select(.id == $o.id)) as $f |
        [$f.kind, ($f.sites | map(.line) | unique | map(tostring) | join(",")), ($o.outcome | if . == "" then "kind" else . end), $o.runs] | @tsv' "$work/outcomes" |
        while IFS=$'\t' read -r kind lines outcome count; do
            word=$(echo "$kind" | tr a-z A-Z) truth=false
            case $1 in
            *_repaired | *_twin) ;;
            *) for line in ${lines//,/ }; do
                sed -n "${line}p" "$program" | grep -qE "[ /*]$word([ @#!*]|\$)" && truth=true
            done ;;
            esac
            printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$truth" "$kind" "$lines" "$outcome" "$count"
        done
}

# built FOLDER SOURCE: FOLDER/prog
built() {
    # shellcheck disable=SC2086
    "$racerx" cc --with="$compiler" $flags -w -o "$1/prog" "$2" -lpthread 2>"$work/why"
}

for program in "$@"; do
    name=$(basename "$program" .c)
    if ! grep -qE '\bmain\(' "$program"; then
        printf '%s\t-\t-\t-\tno-main\t0\n' "$name"
        continue
    fi
    rm -rf "$work"/db.* "$work/first" "$work/twin" "$work/source"
    mkdir "$work/first" "$work/twin" "$work/source"
    if ! built "$work/first" "$program"; then
        printf '%s\t-\t-\t-\tnot-built\t0\n' "$name"
        continue
    fi
    case $name in
    *_repaired) unlocked "$program" >"$work/source/$name.c" ;;
    *) cp "$program" "$work/source/$name.c" ;;
    esac
    options=$(sed -n '1,2s/.*racerx: \(--.*\)/\1/p' "$program" | sed 's/\*\/.*//')
    # shellcheck disable=SC2086
    "$racerx" run --quiet --db "$work/db.db" $options "$work/source/$name.c" >/dev/null 2>&1
    "$racerx" list --all --format jsonl --db "$work/db.db" >"$work/findings" 2>/dev/null
    [ -s "$work/findings" ] || continue
    outcomes "$name" "$work/first"
    if [ -e "${program%.c}_repaired.c" ]; then
        cp "${program%.c}_repaired.c" "$work/twin/$name.c"
        built "$work/twin" "$work/twin/$name.c" && outcomes "${name}_twin" "$work/twin"
    fi
done | tee "$work/table"
awk -F'\t' '
$2 == "true" && $5 != "kind" { trues++; witnessed += $5 == "witnessed"; missed += $5 != "witnessed" }
$2 == "true" && $5 != "kind" { programs[$1]; if ($5 == "witnessed") shown[$1] }
$1 ~ /_(repaired|twin)$/ && $2 == "false" && $5 != "kind" { mended++; wrong += $5 == "witnessed" }
$1 !~ /_(repaired|twin)$/ && $2 == "false" && $5 != "kind" { others++; surprising += $5 == "witnessed" }
$5 == "not-built" { unbuilt++ }
$5 == "no-main" { mainless++ }
END {
    for (name in programs) { all++; some += name in shown }
    printf "# true findings: %d, witnessed %d (%.1f %%); programs with one: %d, witnessed %d\n", trues, witnessed, trues ? 100 * witnessed / trues : 0, all, some
    printf "# findings tried on repaired programs: %d, witnessed %d\n", mended, wrong
    printf "# other findings: %d, witnessed %d; not built %d, no main() %d\n", others, surprising, unbuilt, mainless
}' "$work/table"
