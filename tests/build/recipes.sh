# Every recipe of docs/contributing.md names a commit that did one: it is there, and touches the files that are named.
# Every file that the page names is there.
set -eu
bad=0 found=0
complain() { echo "$1" && bad=1; }
recipes() { sed -n 's/^    git show \([0-9a-f]*\) -- /\1 /p' docs/contributing.md; }
is_here() { git merge-base --is-ancestor "$1" HEAD 2>/dev/null; }
history=false # a copy may have none, or another
for commit in $(recipes | cut -d' ' -f1); do
    ! is_here "$commit" || history=true
done
while read -r commit files; do
    found=$((found + 1))
    $history || continue
    is_here "$commit" || { complain "docs/contributing.md: there is no commit $commit"; continue; }
    for file in $files; do
        git diff --quiet "$commit^" "$commit" -- "$file" && complain "docs/contributing.md: $commit does not touch $file"
    done
done < <(recipes)
wanted=$(grep -c '^## Add ' docs/contributing.md)
[ "$found" = "$wanted" ] || complain "docs/contributing.md has $wanted recipes and names $found commits"
while read -r file; do
    ls -d $file >/dev/null 2>&1 || complain "docs/contributing.md names $file, which is not there"
done < <(grep -oE '`(base|annotators|extract|racerx|rank|reports|tests|bench|docs)/[a-z0-9_./*-]+`' docs/contributing.md | tr -d '`' | grep -v NAME | sort -u)
exit $bad
