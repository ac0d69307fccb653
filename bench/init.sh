#!/usr/bin/env bash
# init.sh: how much of a preset's lock table `racerx init` finds by itself, with no preset at all.
#
#   bench/init.sh [--build DIR] [--keep DIR] TREE[:PRESET]...
#
# Reference: the preset's own table, by calls in the source text. recall: calls of functions that the preset says
# acquire, release or try, and that an active entry of init gives the same effect. wrong: active entries that the
# preset does not have, which a human has to judge: a wrapper or a variant of the same world is right. Without
# :PRESET the one that racerx picks is the reference; :- prints the proposals only. Bars: recall 95 %, wrong
# 10 %, 30 s after extraction. --keep DIR keeps databases and proposals there, and uses databases it finds.
set -eu
build=build keep=
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2 && shift 2 ;;
    --keep) keep=$2 && shift 2 ;;
    -*) sed -n '2,4p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { echo "bench: name a tree: make bench-init TREES=\"DIR[:PRESET] ...\"" >&2 && exit 2; }
build=$(cd "$build" && pwd)
racerx=$build/racerx
export LC_ALL=C RACERX_NO_PROGRESS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dir=${keep:-$work}
mkdir -p "$dir"

# FUNCTION EFFECT CALLS, of acquire, release and try.
table() { "$racerx" locks --db "$db" --no-config --format jsonl "$@" |
    jq -r 'select(.effect == "acquire" or .effect == "release" or .effect == "try") | "\(.function) \(.effect) \(.calls)"' | sort -u |
    awk '$2 == "acquire" { takes[$1] = 1 } $2 == "try" && $1 in takes { next } { print }'; } # a constant says whether it only tries

# Names that the proposal says need no entry, since they come down to others.
followed() { sed -n '/need no entry:$/,/^[^-]/p' "$1" | sed -n 's/^--     //p' | tr -s ' ' '\n' | sort -u | tr '\n' ' '; }

compare() { # tree, seconds, reference, proposed, names that are followed
    awk -v tree="$1" -v seconds="$2" -v followed="$5" '
    BEGIN { count = split(followed, list, " "); for (i = 1; i <= count; i++) through[list[i]] = 1 }
    FILENAME == ARGV[1] { want[$1 " " $2] = $3; named[$1] = 1; all += $3; next }
    {
        got[$1 " " $2] = 1; entries++
        if (($1 " " $2) in want) { right++; covered += $3 }
        else { other[++others] = $0; other_calls += $3 }
        calls += $3
    }
    END {
        for (key in want) { split(key, part, " "); if (!(key in got) && part[1] in through) { wrapped += want[key]; got[key] = 1 } }
        printf "%s: recall %.1f %% of %d calls, %.1f %% with wrappers that are followed, %d active lock functions, %d of them in the preset, %d not (%.1f %% of calls), %.1f s\n",
            tree, all ? 100 * covered / all : 0, all, all ? 100 * (covered + wrapped) / all : 0, entries, right, others, calls ? 100 * other_calls / calls : 0, seconds
        for (key in want) if (!(key in got)) print "  missed " want[key] " " key | "sort -k2,2nr | head -25"
        close("sort -k2,2nr | head -25")
        for (i = 1; i <= others; i++) { split(other[i], part, " "); print "  judge " part[3] " " part[1] " " part[2] | "sort -k2,2nr" }
    }' "$3" "$4"
}

for word in "$@"; do
    tree=${word%%:*} preset=
    [ "$tree" = "$word" ] || preset=${word##*:}
    name=$(basename "$tree") db=$dir/$(basename "$tree").db
    [ -e "$db" ] || "$racerx" extract -q --no-config --db "$db" "$tree"
    rm -f "$dir/$name.lua"
    "$racerx" init --no-presets --stats -o "$dir/$name.lua" --db "$db" "$tree" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
    seconds=$(sed -n 's/^proposals took \([0-9.]*\) s$/\1/p' "$work/err")
    table --preset none --annotator "$dir/$name.lua" >"$work/proposed"
    if [ "$preset" = - ]; then
        : >"$work/reference"
    elif [ -n "$preset" ]; then
        table --preset "$preset" >"$work/reference"
    else
        table >"$work/reference"
    fi
    compare "$name" "$seconds" "$work/reference" "$work/proposed" "$(followed "$dir/$name.lua")"
    sed -n 's/^in all  */  /p' "$work/out"
done
