#!/usr/bin/env bash
# predict_table.sh [--build DIR] [--samples N] [--top N] [--runs N] [--events N] NAME DIRECTORY COMMAND...: one program's rows of a table
# in the shape of PLA's Table 2: what is predicted from the same samples by places alone (any two that conflict), by
# locksets alone, and with order; how many of the first N are tested, how many are witnessed, tests for each, seconds.
#
# The program was built with `racerx cc`. When there is a database in DIRECTORY (racerx run), the last row is of those
# predictions with order that are also findings of the text. Tab-separated.
set -u
build=build samples=4 top=40 runs=4 events=100000
while :; do
    case ${1:-} in
    --build) build=$2 && shift 2 ;;
    --samples) samples=$2 && shift 2 ;;
    --top) top=$2 && shift 2 ;;
    --runs) runs=$2 && shift 2 ;;
    --events) events=$2 && shift 2 ;;
    *) break ;;
    esac
done
racerx=$(realpath "${RACERX:-$build/racerx}")
name=$1 directory=$2
shift 2
work=$(mktemp -d "${TMP:-/tmp}/predict.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C RACERX_NO_PROGRESS=1
cd "$directory" || exit 2
start=$EPOCHREALTIME
"$racerx" trace --events "$events" --runs "$samples" --run-time 30s --into "$work/traces" --format jsonl -- "$@" >"$work/trace" || exit 1
sampled=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }')
jq -r --arg name "$name" '"# \($name): \(.samples) samples, \(.events) events, \(.lost) without room, a traced run \(.seconds * 1000 | round) ms, one that was not \(.plain * 1000 | round) ms"' "$work/trace"
[ ! -e .racerx/racerx.db ] || "$racerx" list --all --format jsonl >"$work/findings" 2>/dev/null || : >"$work/findings"
printf '# program\tby\taccess-locksets\tstable\tlinear\tpairs\tpredictions\ttested\twitnessed\ttests/race\tanalysis s\ttests s\traces/hour\n'
for by in places locks order; do
    beta=0.5
    [ $by = order ] || beta=0.001 # all that was ever seen
    "$racerx" predict --by $by --beta $beta --format jsonl "$work/traces" >"$work/$by.all" || exit 1
    start=$EPOCHREALTIME
    "$racerx" predict --by $by --beta $beta --top "$top" --confirm --runs "$runs" --run-time 20s --time 300s --format jsonl "$work/traces" -- "$@" >"$work/$by" || exit 1
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    jq -rs --arg name "$name" --arg by $by --argjson seconds "$seconds" --argjson sampled "$sampled" '.[0] as $c | .[1:] as $p |
        ($p | map(select(.witness.outcome == "witnessed")) | length) as $w | ($seconds - $c.seconds) as $tests |
        [$name, $by, $c.access_locksets, $c.stable, $c.linear, $c.pairs, $c.predictions, ($p | length), $w,
         (if $w > 0 then ($p | length) / $w * 10 | round / 10 else "-" end), ($c.seconds * 10 | round / 10), ($tests | round),
         ($w * 3600 / ($seconds + $sampled) | round)] | @tsv' "$work/$by"
done
[ -s "$work/findings" ] || exit 0
jq -rs --arg name "$name" --slurpfile found "$work/findings" '
    ([$found[] | select(.kind == "race") | [.sites[] | "\(.file | split("/") | last):\(.line)"]]) as $text |
    (.[1:] | map(select([.sides[] | "\(.file | split("/") | last):\(.line)"] as $two | $text | any(. as $f | $two | all(. as $l | $f | index($l)))))) as $p |
    ($p | map(select(.witness.outcome == "witnessed")) | length) as $w |
    [$name, "order+text", "", "", "", "", "", ($p | length), $w, (if $w > 0 then ($p | length) / $w * 10 | round / 10 else "-" end), "", "", ""] | @tsv' "$work/order"
