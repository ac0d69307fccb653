#!/bin/bash
# What was judged and measured is data: every line can be read and has its keys, and the page of tables can be made of them.
set -u
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }
bad=0
for file in bench/verdicts/*.jsonl; do
    wrong=$(jq -c 'select((.kind and .file and .line and .verdict and (.note | type == "string") and (.id | type == "string")
        and ([.verdict] | inside(["confirmed", "unconfirmed", "minor", "false", ""]))) | not)' "$file" 2>&1 | head -n 1)
    if [ -n "$wrong" ]; then echo "not ok $file: $wrong" && bad=1; else echo "ok $file"; fi
done
if bash bench/evaluation.sh >"$TMP/page.md" && grep -q '^| all | ' "$TMP/page.md"; then
    echo "ok the page"
else
    echo "not ok the page: no sums in it" && bad=1
fi
exit "$bad"
