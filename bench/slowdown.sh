#!/usr/bin/env bash
# slowdown.sh [--build DIR] [--times N] PLAIN TSAN STEERED ARGUMENT...: how long one program takes as it is, with
# ThreadSanitizer, built with `racerx cc` but not traced, and traced: three builds of it with the same options, run with the
# same arguments, by turns. The best of N (5) each, in milliseconds, and its ratio to the first. Tab-separated.
set -u
build=build times=5
while :; do
    case ${1:-} in
    --build) build=$2 && shift 2 ;;
    --times) times=$2 && shift 2 ;;
    *) break ;;
    esac
done
racerx=$(realpath "${RACERX:-$build/racerx}")
plain=$1 tsan=$2 steered=$3
shift 3
work=$(mktemp -d "${TMP:-/tmp}/slowdown.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C TSAN_OPTIONS=report_bugs=0:exitcode=0
milliseconds() { # COMMAND...: of one run
    local start=$EPOCHREALTIME
    "$@" >/dev/null 2>&1
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f\n", (b - a) * 1000 }'
}
for _ in $(seq "$times"); do
    milliseconds "$plain" "$@" >>"$work/plain"
    milliseconds "$tsan" "$@" >>"$work/tsan"
    milliseconds "$steered" "$@" >>"$work/steered"
    "$racerx" trace --into "$work/traces" --format jsonl -- "$steered" "$@" | jq '.seconds * 1000 | round' >>"$work/traced"
done
base=$(sort -n "$work/plain" | head -n 1)
for what in plain tsan steered traced; do
    best=$(sort -n "$work/$what" | head -n 1)
    awk -v what=$what -v best="$best" -v base="$base" 'BEGIN { printf "%s\t%d\t%.1f\n", what, best, (base > 0 ? best / base : 0) }'
done
