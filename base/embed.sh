#!/bin/sh
# embed.sh NAME FILE: prints C that defines `const char NAME[]` with FILE's bytes and a NUL after them.
set -eu
if [ $# -ne 2 ]; then
    echo "usage: sh base/embed.sh NAME FILE >OUT.c" >&2
    exit 2
fi
test -r "$2" || { echo "embed.sh: cannot read $2" >&2; exit 2; }
printf 'extern const char %s[];\nconst char %s[] = {\n' "$1" "$1"
od -An -v -tu1 "$2" | sed 's/  */ /g; s/ \([0-9][0-9]*\)/ (char)\1,/g'
printf ' 0};\n'
