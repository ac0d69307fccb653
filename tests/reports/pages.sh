#!/bin/bash
# docs/findings: a page per kind, complete; its examples are reported at the lines that say "here", and the mended ones are not.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }
blocks() { # PAGE FENCE PREFIX: each such block as PREFIX.N.c
    awk -v fence="\`\`\`$2" -v prefix="$3" '/^```$/ { inside = 0 } inside { print > (prefix "." n ".c") } $0 == fence { inside = 1; n++ }' "$1"
}
kinds=$(sed -n 's/^KIND([A-Z_]*, "\([a-z-]*\)".*/\1/p' "$root/racerx/findings/kinds.def")
[ -n "$kinds" ] || not_ok kinds "the table has none"
for kind in $kinds; do
    page=$root/docs/findings/$kind.md
    [ -f "$page" ] || { not_ok "$kind" "there is no page"; continue; }
    for heading in '## What it is' '## An example' '## How to fix it' '## When it is not true, and how to silence it'; do
        grep -qxF -- "$heading" "$page" || not_ok "$kind" "no $heading"
    done
    grep -qF "/* racerx: ignore $kind " "$page" && grep -q 'racerx\.suppress' "$page" && grep -q 'racerx mark ID false' "$page" ||
        not_ok "$kind: silence" "the comment, the file and the verdict must be there"
    grep -q "($kind.md)" "$root/docs/findings/README.md" || not_ok "$kind" "is not in the list of pages"
    blocks "$page" c "$kind"
    blocks "$page" 'c repaired' "$kind-repaired"
    [ -f "$kind.1.c" ] && [ -f "$kind-repaired.1.c" ] || not_ok "$kind: example" "one, and one that is repaired"
    for program in "$kind".[0-9].c; do
        here=$(grep -n '/\* here' "$program" | cut -d: -f1 | sort | paste -sd' ')
        run run --quiet --format jsonl "$program"
        got=$(jq -r --arg kind "$kind" 'select(.kind == $kind) | [.sites[].line | tostring] | unique | join(" ")' .out)
        [ -n "$here" ] || not_ok "$program" "no line says here"
        found=
        while read -r lines; do
            missing=$(comm -23 <(tr ' ' '\n' <<<"$here" | sort) <(tr ' ' '\n' <<<"$lines" | sort))
            [ -n "$missing" ] || found=1
        done <<<"$got"
        [ -n "$found" ] && ok "$program" || not_ok "$program" "here: $here; found: ${got:-nothing}"
        others=$(jq -r --arg kind "$kind" 'select(.kind != $kind and .kind != "race") | .kind + " " + .message' .out)
        same "$program: nothing else" "$others" ''
    done
    for program in "$kind"-repaired.[0-9].c; do
        run run --quiet --format jsonl "$program"
        same "$program" "$(jq -r '.kind + ": " + .message' .out)" ''
    done
done
# The pages are what SARIF's rules say.
echo 'int f(void) { return 0; }' >empty.c
"$RACERX" run --quiet --format sarif empty.c >empty.sarif
for kind in $kinds; do
    same "$kind: help" "$(jq -r --arg kind "$kind" '.runs[0].tool.driver.rules[] | select(.id == $kind) | .help.markdown' empty.sarif)" "$(cat "$root/docs/findings/$kind.md")"
done
finish
