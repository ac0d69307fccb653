#!/bin/sh
# embed.sh FILE.lua …: prints C that defines the presets built in: see BuiltinPreset in host.h.
set -eu
echo '#include "annotators/host.h"'
echo 'const BuiltinPreset builtin_presets[] = {'
count=0
for file in "$@"; do
    test -r "$file" || { echo "embed.sh: cannot read $file" >&2; exit 2; }
    printf '{"%s",\n' "$(basename "$file" .lua)"
    # `?` is escaped because two of them may begin a trigraph.
    sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/^/"/; s/$/\\n"/' "$file"
    printf '"", %s},\n' "$(wc -c <"$file" | tr -d ' ')"
    count=$((count + 1))
done
printf '{NULL, NULL, 0}};\nconst u32 builtin_preset_count = %s;\n' "$count"
