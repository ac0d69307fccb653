# The grammar and the runtime are taken only with the pinned checksum and an ABI that the runtime reads; and from
# the cache, without npm, once it is there. npm is a stand-in here: no network.
set -eu
export XDG_CACHE_HOME=$TMP/cache
mkdir -p "$TMP/bin" "$TMP/grammar/package/src/tree_sitter" "$TMP/runtime/package/vendor/tree-sitter/lib/"{src,include/tree_sitter}
cat >"$TMP/bin/npm" <<'END'
#!/bin/sh
echo called >>"$TMP/npm.calls"
for word; do
    case $word in tree-sitter*) name=$(echo "$word" | tr @ -).tgz && cp "$TMP/$name" "$name" ;; esac
done
END
chmod +x "$TMP/bin/npm"
export PATH=$TMP/bin:$PATH

checksum() { printf "$(sha512sum <"$1" | cut -d' ' -f1 | sed 's/../\\x&/g')" | base64 -w0; }
# serve ABI : makes the packages that npm will bring, and a script that has their checksums pinned.
serve() {
    printf '#define LANGUAGE_VERSION %s\n#pragma GCC optimize ("O0")\nint parser;\n' "$1" >"$TMP/grammar/package/src/parser.c"
    echo '/* header */' >"$TMP/grammar/package/src/tree_sitter/parser.h"
    echo 'int runtime;' >"$TMP/runtime/package/vendor/tree-sitter/lib/src/lib.c"
    echo '/* interface */' >"$TMP/runtime/package/vendor/tree-sitter/lib/include/tree_sitter/api.h"
    echo MIT | tee "$TMP/grammar/package/LICENSE" >"$TMP/runtime/package/LICENSE"
    tar -czf "$TMP/tree-sitter-c-0.23.6.tgz" -C "$TMP/grammar" package
    tar -czf "$TMP/tree-sitter-0.25.1.tgz" -C "$TMP/runtime" package
    sed "s|^grammar_integrity=.*|grammar_integrity=$(checksum "$TMP/tree-sitter-c-0.23.6.tgz")|
         s|^runtime_integrity=.*|runtime_integrity=$(checksum "$TMP/tree-sitter-0.25.1.tgz")|" extract/grammar.sh >"$TMP/grammar.sh"
}
expect() { # what fails, the words it must say
    if sh "$@" >"$TMP/said" 2>&1; then echo "should have failed: $*" && exit 1; fi
    grep -q "$words" "$TMP/said" || { cat "$TMP/said" && echo "did not say: $words" && exit 1; }
}

serve 14
words='does not have the checksum' expect extract/grammar.sh "$TMP/out"
[ ! -e "$TMP/out/parser.c" ]

sh "$TMP/grammar.sh" "$TMP/out" >/dev/null
grep -q 'int parser' "$TMP/out/parser.c"
! grep -q pragma "$TMP/out/parser.c"
[ -e "$TMP/out/tree_sitter/parser.h" ] && [ -e "$TMP/out/tree_sitter/api.h" ] && [ -e "$TMP/out/runtime/src/lib.c" ]

# Again: from the cache. A damaged cache: fetched anew.
rm -rf "$TMP/out" "$TMP/npm.calls"
sh "$TMP/grammar.sh" "$TMP/out"
[ -e "$TMP/out/parser.c" ] && [ ! -e "$TMP/npm.calls" ]
echo damage >>"$XDG_CACHE_HOME/racerx/tree-sitter-c-0.23.6.tgz"
sh "$TMP/grammar.sh" "$TMP/out" >/dev/null 2>&1
[ "$(wc -l <"$TMP/npm.calls")" = 1 ]
rm "$TMP/npm.calls"
echo damage >>"$XDG_CACHE_HOME/racerx/tree-sitter-0.25.1.tgz"
sh "$TMP/grammar.sh" "$TMP/out" >/dev/null 2>&1
[ "$(wc -l <"$TMP/npm.calls")" = 1 ]

rm -rf "$XDG_CACHE_HOME" "$TMP/out"
serve 15
words='ABI is 15' expect "$TMP/grammar.sh" "$TMP/out"
[ ! -e "$TMP/out/parser.c" ]
