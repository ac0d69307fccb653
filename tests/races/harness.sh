#!/bin/bash
# tests/verdict itself: what it must accept and what it must refuse, with a racerx that prints what it is told.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${TMP:=/tmp}"
work=$(mktemp -d "$TMP/harness.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
status=0

# Prints $work/always, and $work/below only with --all; keeps its arguments.
cat >"$work/racerx" <<END
#!/bin/bash
echo "\$*" >"$work/arguments"
cat "$work/always"
case " \$* " in *' --all '*) cat "$work/below" ;; esac
END
chmod +x "$work/racerx"

race() { # rank line...: a finding with these sites
    local rank=$1 sites= line
    shift
    for line; do sites+="${sites:+,}{\"file\":\"p.c\",\"line\":$line,\"function\":\"f\"}"; done
    echo "{\"rank\":$rank,\"kind\":\"race\",\"message\":\"m\",\"file\":\"p.c\",\"line\":$1,\"function\":\"f\",\"sites\":[$sites]}"
}
expect() { # ok|bad description: the program is on standard input
    cat >"$work/p.c"
    if RACERX=$work/racerx TMP=$work tests/verdict "$work/p.c" >"$work/out"; then got=ok; else got=bad; fi
    if [ $got = "$1" ]; then
        echo "ok $2"
    else
        echo "not ok $2: $(tr '\n' ';' <"$work/out")" && status=1
    fi
}
findings() { printf '%s\n' "$@" | grep . >"$work/always"; : >"$work/below"; }

program='int a; // RACE!
int b; /* NORACE */
int c; // NORACE'
findings "$(race 1 1)"
expect ok "both spellings" <<<"$program"
findings ''
expect bad "a RACE! that is not found" <<<"$program"
findings "$(race 1 1)" "$(race 2 2)"
expect bad "a NORACE in a comment that is found" <<<"$program"
findings "$(race 1 1)" "$(race 2 3)"
expect bad "a NORACE behind slashes that is found" <<<"$program"
findings "$(race 1 1 9)"
expect ok "a finding with one site on a RACE line" <<<"$program"
findings "$(race 1 1)" "$(race 2 8 9)"
expect bad "a race that no line speaks of" <<<"$program"
expect bad "a race where only safe lines have verdicts" <<<'int b; // NORACE'
expect ok "races do not count where no verdict speaks of them" <<<'int b;'

findings "$(race 1 1 2)"
expect ok "two sites of one finding" <<<'int a; // RACE@a
int b; /* RACE@a */'
findings "$(race 1 1)" "$(race 2 2)"
expect bad "two sites of two findings" <<<'int a; // RACE@a
int b; /* RACE@a */'
expect ok "a known limit" <<<'int a; // RACE!
int b; // TODO NORACE: why'
expect bad "a known limit without a reason" <<<'int a; // RACE!
int b; // TODO NORACE'
expect bad "no such verdict" <<<'int a; // RACES!'

findings ''
race 1 2 >"$work/below"
expect ok "below the line is found" <<<'
int a; // RACE!'
expect bad "below the line is not shown" <<<'// racerx-verdict: shown
int a; // RACE!'
expect ok "and need not be silent" <<<'// racerx-verdict: shown
int a; // NORACE'
expect ok "both kinds of first line" <<<'// racerx-verdict: shown
// racerx: --preset linux
int a; // NORACE'
grep -q -- '--preset linux' "$work/arguments" || { echo "not ok options of the second line" && status=1; }
exit $status
