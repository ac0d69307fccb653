#!/usr/bin/env bash
# evaluation.sh: one page of tables from what was measured (bench/results/*.jsonl) and judged (bench/verdicts/*.jsonl).
#
# Results: the first line of a file has `title`, `command` (what repeats it) and `note`; every other is a row, its keys the columns.
# Verdicts: a line for each finding; the last one about a place counts.
# Out: Markdown on standard output; `make evaluation` makes docs/evaluation.md of it.
set -eu
cd "$(dirname "$0")"
command -v jq >/dev/null || { echo "evaluation: there is no jq: make test installs it" >&2; exit 2; }
export LC_ALL=C

columns='confirmed unconfirmed minor false'
# rows KEY: the sums of all verdicts by this key, a row each
sums() {
    jq -rs --arg by "$1" '
        map(select(.verdict != "")) | group_by([.tree, .kind, .file, .line, .object]) | map(last)
        | (group_by(.[$by]) | map({name: .[0][$by], of: .})) + [{name: "all", of: .}] | .[]
        | . as $row | ["confirmed", "unconfirmed", "minor", "false"]
        | map(. as $verdict | [$row.of[] | select(.verdict == $verdict)] | length) as $count
        | ($count | add) as $all | [$row.name] + $count + ["\(($all - $count[3]) * 100 / $all | round) % of \($all)"]
        | "| " + (map(tostring) | join(" | ")) + " |"' <<<"$verdicts"
}
table_of_sums() { # KEY
    echo "| $1 | ${columns// / | } | not false |"
    echo "|---|---|---|---|---|---|"
    sums "$1"
    echo
}

verdicts=$(for file in verdicts/*.jsonl; do jq -c --arg tree "$(basename "$file" .jsonl)" '. + {tree: $tree}' "$file"; done)
cat <<'END'
# Evaluation

Written by `make evaluation` from `bench/results/` and `bench/verdicts/`: change those, not this page. Machine: two cores, 24 GiB, Debian 12.

## What readers said
Findings of the first pages, judged with the code open by several readers, each a part, by reading only. *confirmed*: it can happen; *unconfirmed*:
nothing rules it out; *minor*: true, but harmless, deliberate or in test code; *false*: it cannot happen. A verdict belongs to a place; lists have
changed since. Every one with its reason is a line of `bench/verdicts/TREE.jsonl`.

END
table_of_sums tree
table_of_sums kind
for file in results/*.jsonl; do
    jq -rs '.[0] as $about | .[1:] as $rows | ($rows[0] | keys_unsorted) as $columns
        | "## \($about.title)\n`\($about.command)`. \($about.note)\n",
          "| " + ($columns | join(" | ")) + " |", "|" + ($columns | map("---|") | join("")),
          ($rows[] | . as $row | "| " + ($columns | map($row[.] // "" | tostring) | join(" | ")) + " |"), ""' "$file"
done
cat <<'END'
## Settings
`p0` = 0.9 is the value of SOSP'01; `wide` = 32 bits that of the slides. Different bits of one word are not taken for harmless: of the findings that were read,
`flags |= A` against `flags |= B` under another lock lose updates and are confirmed.
END
