# The layers check lets the right includes pass and names the wrong ones.
set -eu
mkdir -p "$TMP/top/tests" "$TMP"/top/{base,annotators,extract,racerx,rank,reports}
cp tests/layers "$TMP/top/tests/"
cd "$TMP/top"
line() { printf '#include "%s"\n' "$2" >"$1"; }
line base/a.c base/base.h
line extract/a.c annotators/declare.h
line racerx/a.c extract/tree.h
line racerx/command_a.c rank/rank.h
line rank/a.c racerx/findings.h
tests/layers

refuses() { # file, what it includes
    line "$1" "$2"
    if tests/layers >"$TMP/said"; then echo "$1 may not include $2" && exit 1; fi
    grep -q "^$1:1: " "$TMP/said" || { cat "$TMP/said" && exit 1; }
    rm "$1"
}
refuses base/b.c extract/tree.h
refuses annotators/b.c extract/tree.h
refuses extract/b.c racerx/findings.h
refuses racerx/b.c extract/item.h
refuses racerx/main.c extract/item.h
refuses rank/b.c extract/tree.h
refuses reports/b.c tree.h
