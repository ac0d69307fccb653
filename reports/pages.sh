#!/bin/sh
# pages.sh: prints C that defines `finding_pages`: the page of each kind of finding, in the order of racerx/findings/kinds.def.
# Run from the root of the repository.
set -eu
words=$(sed -n 's/^KIND([A-Z_]*, "\([a-z-]*\)".*/\1/p' racerx/findings/kinds.def)
for word in $words; do
    sh base/embed.sh "page_$(echo "$word" | tr - _)" "docs/findings/$word.md"
done
echo 'extern const char *const finding_pages[];'
echo 'const char *const finding_pages[] = {'
for word in $words; do
    echo "    page_$(echo "$word" | tr - _),"
done
echo '};'
