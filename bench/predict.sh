#!/usr/bin/env bash
# predict.sh [--build DIR] [--samples N] [--confirm] PROGRAM.c...: what `racerx predict` says of small programs.
#
# Each program is built with `racerx cc` and run N times. Prints a line for each program, tab-separated: name, whether it
# has a race (a line with RACE!, see tests/verdict; of *_repaired.c none has), access-locksets, stable, after the linear
# pass, pairs of instructions (so far the paper's columns), predictions, predictions on a line with RACE!, witnessed (with
# --confirm), tries; then the counts. Programs that do not compile, or have no main(), are counted as such.
set -u
build=build samples=4 confirm=
while :; do
    case ${1:-} in
    --build) build=$2 && shift 2 ;;
    --samples) samples=$2 && shift 2 ;;
    --confirm) confirm=--confirm && shift ;;
    *) break ;;
    esac
done
racerx=$(realpath "${RACERX:-$build/racerx}")
work=$(mktemp -d "${TMP:-/tmp}/predict.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C RACERX_NO_PROGRESS=1

printf 'program\ttruth\taccess-locksets\tstable\tlinear\tpairs\tpredictions\ttrue\twitnessed\truns\n'
for program in "$@"; do
    name=$(basename "$program" .c)
    grep -qE '\bmain\(' "$program" || continue
    rm -rf "$work/run" && mkdir "$work/run" && cp "$program" "$work/run/"
    if ! (cd "$work/run" && "$racerx" cc -O1 -w -o prog "$name.c" -lpthread) 2>/dev/null; then
        printf '%s\tnot-built\n' "$name"
        continue
    fi
    # shellcheck disable=SC2086
    if ! (cd "$work/run" && timeout 120 "$racerx" predict $confirm --samples "$samples" --run-time 10s --time 60s --format jsonl -- ./prog) >"$work/out" 2>"$work/err"; then
        printf '%s\t%s\n' "$name" "$(head -c 60 "$work/err")"
        continue
    fi
    lines=$(grep -nE '[ /*]RACE([ @#!*]|$)' "$program" | cut -d: -f1 | paste -sd,)
    case $name in *_repaired) lines= ;; esac
    jq -rs --arg name "$name" --argjson lines "[$lines]" '.[0] as $c | .[1:] as $p |
        [$name, (if ($lines | length) > 0 then "racy" else "not" end), $c.access_locksets, $c.stable, $c.linear, $c.pairs, ($p | length),
         ([$p[] | select(.sides | map(.line) | any(. as $l | $lines | index($l)))] | length),
         ([$p[] | select(.witness.outcome == "witnessed")] | length), ([$p[].witness.runs // 0] | add // 0)] | @tsv' "$work/out"
done | tee "$work/table"
awk -F'\t' '
$2 == "racy" { racy++; hit += $8 > 0; predicted += $7; pairs += $6; witnessed += $9 }
$2 == "not" { not++; wrong += $7 > 0; wrongly += $7; others += $6; seen += $9 }
END {
    printf "# racy programs: %d, with a true prediction %d; predictions %d, witnessed %d; pairs of plain PLA %d\n", racy, hit, predicted, witnessed, pairs
    printf "# programs without a race: %d, with a prediction %d; predictions %d, witnessed %d; pairs of plain PLA %d\n", not, wrong, wrongly, seen, others
}' "$work/table"
