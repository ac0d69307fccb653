# Features have one table, racerx/findings/features.def: what checks fill, what ranking weighs and what the manual lists is
# in it, and every row is filled by somebody. The manual's table is written from it: bash tests/rank/features.sh write.
set -eu
bad=0
complain() { echo "$1" && bad=1; }
rows=$(sed -n 's/^FEATURE(\([a-z_]*\),.*/\1/p' racerx/findings/features.def | sort)
[ -n "$rows" ]
[ -z "$(uniq -d <<<"$rows")" ] || complain "twice in features.def: $(uniq -d <<<"$rows")"

# What the C code gives a finding: by its name, beside the call or in a list of names.
filled=$(cat racerx/*/*.c | tr -d '\n' | grep -oE '(finding_add_(number|text)|put_missing)\( *[^,]*, *[^,]*, *"[a-z_]+"' | grep -oE '"[a-z_]+"' | tr -d '"' | sort -u)
for name in $filled; do
    grep -qx "$name" <<<"$rows" || complain "$name is filled, but is not in racerx/findings/features.def"
done
for name in $rows; do
    grep -qE "\"$name\"" -r racerx --include=*.c || complain "$name is in features.def, but nobody fills it"
done

# What the default ranking asks for.
asked=$(grep -oE 'number\(f, "[a-z_]+"\)|features\.[a-z_]+|^ *\{ "[a-z_]+", "' rank/default.lua |
    sed 's/features\.//; s/.*"\([a-z_]*\)".*/\1/; s/^ *{ "\([a-z_]*\)".*/\1/' | sort -u)
[ -n "$asked" ]
for name in $asked; do
    grep -qx "$name" <<<"$rows" || complain "rank/default.lua weighs $name, which is not in racerx/findings/features.def"
done

# The manual.
table() {
    sed -n 's/^FEATURE(\([a-z_]*\), \([A-Z_ |]*\), "\(.*\)")$/\2\t\1\t\3/p' racerx/findings/features.def |
        awk -F'\t' 'BEGIN { print "| of | feature | |\n|---|---|---|" }
            { of = tolower($1); gsub(/of_/, "", of); gsub(/_/, "-", of); gsub(/ \| /, ", ", of)
              if (of == "held") of = "what happens with a lock held"
              sub(/stale$/, "what is relied on after a lock", of)
              printf "| %s | `%s` | %s |\n", of == last ? "" : of, $2, $3; last = of }'
}
[ "$(table | tail -n +3 | wc -l)" = "$(wc -w <<<"$rows")" ] || complain "a row of features.def is not written as the others"
manual() { awk -v table="$(table)" '/^\| of \| feature \|/ { print table; old = 1 } old && /^\|/ { next } { old = 0; print }' rank/README.md; }
[ "${1-}" != write ] || { manual >"${TMP-/tmp}/manual" && cat "${TMP-/tmp}/manual" >rank/README.md && rm "${TMP-/tmp}/manual"; }
manual | cmp -s - rank/README.md || complain "rank/README.md lists other features: bash tests/rank/features.sh write"
exit $bad
