# The layers check lets the right includes pass and names the wrong ones.
set -eu
mkdir -p "$TMP/top/tests" "$TMP"/top/{base,annotators,extract,racerx/{link,mark,facts,walk,check,findings,init,cli},rank,reports}
cp tests/layers "$TMP/top/tests/"
cd "$TMP/top"
line() { printf '#include "%s"\n' "$2" >"$1"; }
line base/a.c base/base.h
line extract/a.c annotators/declare.h
line racerx/link/a.c extract/tree.h
line racerx/check/a.c racerx/facts/analysis.h
line racerx/init/a.c extract/preprocess.h
line racerx/cli/a.c rank/rank.h
line rank/a.c racerx/findings/findings.h
tests/layers

refuses() { # file, what it includes
    line "$1" "$2"
    if tests/layers >"$TMP/said"; then echo "$1 may not include $2" && exit 1; fi
    grep -q "^$1:1: " "$TMP/said" || { cat "$TMP/said" && exit 1; }
    rm "$1"
}
refuses base/b.c extract/tree.h
refuses annotators/b.c extract/tree.h
refuses extract/b.c racerx/findings/findings.h
refuses racerx/link/b.c extract/preprocess.h
refuses racerx/cli/main.c extract/preprocess.h
refuses racerx/link/b.c racerx/facts/analysis.h
refuses racerx/facts/b.c racerx/walk/walk.h
refuses racerx/walk/b.c racerx/findings/findings.h
refuses racerx/check/b.c racerx/walk/walk.h
refuses racerx/check/b.c racerx/cli/command.h
refuses rank/b.c extract/tree.h
refuses reports/b.c tree.h
