#!/usr/bin/env bash
# lookups.sh --build BUILD DB FUNCTION OBJECT: what each look-up costs on a database, as a table: seconds, processor seconds, memory.
# DB is of a whole tree (racerx run); FUNCTION one of it, OBJECT a pattern for guards. The second `locks` is one whose answer is kept.
set -eu
build=build
[ "${1:-}" != --build ] || { build=$2; shift 2; }
db=${1:?names a database} function=${2:?names a function} object=${3:?is a pattern for guards}
racerx=$build/racerx
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
row() { # WORD...
    /usr/bin/time -f '%e %U %M' -o "$work/time" "$racerx" "$@" --db "$db" >"$work/out" 2>/dev/null || true
    read -r wall cpu memory < <(tail -n 1 "$work/time")
    printf '| `%s` | %s | %s | %d |\n' "$*" "$wall" "$cpu" $((memory / 1024))
}
echo "| command | seconds | processor | MiB |"
echo "|---|---|---|---|"
row list
row show 3
row mark 3 unconfirmed
row mark 3 none
row callers "$function"
row callees "$function"
row roots
row functions "$function"
row locks
row locks
row guards "$object"
row guards --top 20
row semaphores
"$racerx" review --db "$db" >"$work/server" 2>&1 &
server=$!
for _ in $(seq 600); do
    grep -q '^http://' "$work/server" && break
    sleep 0.1
done
url=$(grep -m 1 '^http://' "$work/server")
echo
echo "| of the review | seconds | bytes |"
echo "|---|---|---|"
for part in "" api/rows api/state; do
    read -r wall bytes < <(curl -s -H 'Accept-Encoding: gzip' -o /dev/null -w '%{time_total} %{size_download}\n' "$url$part")
    printf '| %s | %s | %s |\n' "${part:-the page}" "$wall" "$bytes"
done
