# How the sources are laid out, beyond what clang-format says: no file is longer than 800 lines, and every folder with
# sources is one that `make format` knows.
set -eu
bad=0
while read -r lines file; do
    [ "$lines" -le 800 ] || { echo "$file has $lines lines, not 800 at most: split it along ideas"; bad=1; }
done < <(find . -path './build*' -prune -o -name .git -prune -o -type f -print | sed 's|^\./||' | sort | grep -E '\.([ch]|lua|py|sh|def|inc|mjs|js|css)$|^tests/(run|verdict|hostile|layers|coverage)$|^Makefile$' |
    grep -vE '^tests/(races|deadlocks|stale|summary|golden|fuzz|annotators)/' | xargs wc -l | awk '$2 != "total"')
formatted=$(env -u MAKEFLAGS make -pn format-check 2>/dev/null | sed -n 's/^FORMATTED := //p' | tr ' ' '\n')
for file in {base,annotators,extract,rank,reports,bench}/*.[ch] racerx/*.[ch] racerx/*/*.[ch]; do
    grep -qxF "$file" <<<"$formatted" || { echo "$file is not laid out by make format"; bad=1; }
done
exit $bad
