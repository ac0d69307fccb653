#!/usr/bin/env bash
# slope.sh: does the cost of the analysis grow in step with the code?
#
#   bench/slope.sh [--build DIR] [-j N] TREE...
#
# Parts of the tree with about 1/8, 1/4, 1/2 and all of its bytes of .c files are extracted and analysed; the slope of
# log time over log bytes is what is judged. How parts are made is in bench/README.md. The tree is not written to: parts
# are hard links, or copies, under $TMPDIR. Logs stay in DIR/bench/TREE.slope/.
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
[ $# -gt 0 ] || { echo "bench: name a tree: make bench-slope TREES=\"DIR ...\"" >&2 && exit 2; }
build=$(cd "$build" && pwd)
racerx=$build/racerx
export LC_ALL=C RACERX_NO_PROGRESS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
. "$here/tools.inc"

# Bytes of .c files, and the path, of everything in a directory: the smallest first.
entries() { # TREE DIRECTORY
    local entry
    (cd "$1" && find "$2" -mindepth 1 -maxdepth 1 ! -name '*
*' ! -name .git) | while IFS= read -r entry; do
        printf '%s\t%s\n' "$(find "$1/$entry" -type f -name '*.c' -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')" "${entry#./}"
    done | sort -t "$(printf '\t')" -k1,1n -k2
}

# The order in which the tree is put together. A directory with more than an eighth of all bytes goes by what is in it.
order() { # TREE DIRECTORY BYTES
    local bytes path
    entries "$1" "$2" | while IFS="$(printf '\t')" read -r bytes path; do
        if [ -d "$1/$path" ] && [ ! -L "$1/$path" ] && [ "$((bytes * 8))" -gt "$3" ]; then
            order "$1" "./$path" "$3"
        else
            printf '%s\t%s\n' "$bytes" "$path"
        fi
    done
}

copy() { # FROM TO
    mkdir -p "$(dirname "$2")"
    cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2" && cp -a "$1" "$2"; }
}

# Adds from the order, line by line from $next on, until there are so many bytes.
grow() { # TREE BYTES
    local bytes path
    while [ "$have" -lt "$2" ] && [ "$next" -le "$lines" ]; do
        IFS="$(printf '\t')" read -r bytes path < <(sed -n "${next}p" "$out/order")
        copy "$1/$path" "$tree/$path"
        have=$((have + bytes)) next=$((next + 1))
    done
}

# Slope of the line through (log bytes, log seconds) with the least squares.
slope() {
    awk '{ x = log($1); y = log($2 > 0 ? $2 : 0.001); n++; sx += x; sy += y; sxx += x * x; sxy += x * y }
         END { d = n * sxx - sx * sx; if (n < 2 || d == 0) print "-"; else printf "%.2f\n", (n * sxy - sx * sy) / d }' "$1"
}

point() { # NAME
    extract "$1.extract" --db "$work/$1.db" -j "$jobs" || return 1
    analyse "$1" --db "$work/$1.db" -j "$jobs" || return 1
    rm -f "$work/$1.db"*
    printf '%s %s\n' "$have" "$(value wall "$out/$1.measure")" >>"$out/points"
    row "$1: $have bytes: link + walk + findings" "$(value wall "$out/$1.measure") s" "" \
        "$(calculate %.2f "$(value rss_kib "$out/$1.measure") / 1048576") GiB"
}

slope_tree() {
    local total eighth found verdict
    out=$build/bench/$(basename "$1").slope tree=$work/part/$(basename "$1")
    rm -rf "$out" "$work/part"
    mkdir -p "$out" "$tree"
    total=$(find "$1" -type f -name '*.c' ! -path '*/.git/*' -printf '%s\n' | awk '{ n += $1 } END { print n + 0 }')
    [ "$total" -gt 0 ] || { echo "$1: no .c files" && return 0; }
    order "$1" . "$total" >"$out/order"
    lines=$(wc -l <"$out/order") next=1 have=0
    printf '\n%s: %s bytes of .c files, -j%s; details in %s\n' "$(basename "$1")" "$total" "$jobs" "${out#"$PWD/"}"
    for eighth in 1 2 4 8; do
        grow "$1" "$((eighth == 8 ? total + 1 : total * eighth / 8))"
        point "part-$eighth" || return 1
    done
    found=$(slope "$out/points")
    if [ "$found" = - ]; then verdict="(one size only)"
    elif holds "$(sed -n '1s/.* //p' "$out/points") < 1"; then verdict="(too short to judge)"
    else verdict=$(judge "$found <= 1.15"); fi
    row "slope of log time over log bytes" "$found" "<= 1.15" "$verdict"
    echo
}

failed=0
for one; do
    [ -d "$one" ] || { echo "bench: $one: no such directory" >&2 && exit 2; }
    one=$(cd "$one" && pwd)
    slope_tree "$one" || failed=1
done
exit $failed
