# The grammar is taken only with the pinned checksum and an ABI that the runtime reads; and from
# the cache, without npm, once it is there. npm is a stand-in here: no network.
set -eu
export XDG_CACHE_HOME=$TMP/cache
mkdir -p "$TMP/bin" "$TMP/package/src/tree_sitter"
cat >"$TMP/bin/npm" <<'END'
#!/bin/sh
echo called >>"$TMP/npm.calls"
cp "$TMP/served.tgz" tree-sitter-c-0.23.6.tgz
END
chmod +x "$TMP/bin/npm"
export PATH=$TMP/bin:$PATH

# serve ABI : makes the package that npm will bring, and a script that has its checksum pinned.
serve() {
    printf '#define LANGUAGE_VERSION %s\n#pragma GCC optimize ("O0")\nint parser;\n' "$1" >"$TMP/package/src/parser.c"
    echo '/* header */' >"$TMP/package/src/tree_sitter/parser.h"
    echo MIT >"$TMP/package/LICENSE"
    tar -czf "$TMP/served.tgz" -C "$TMP" package
    sum=$(sha512sum <"$TMP/served.tgz" | cut -d' ' -f1 | sed 's/../\\x&/g')
    sum=$(printf "$sum" | base64 -w0)
    sed "s|^integrity=.*|integrity=$sum|" extract/grammar.sh >"$TMP/grammar.sh"
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
[ -e "$TMP/out/tree_sitter/parser.h" ]

# Again: from the cache. A damaged cache: fetched anew.
rm -rf "$TMP/out" "$TMP/npm.calls"
sh "$TMP/grammar.sh" "$TMP/out"
[ -e "$TMP/out/parser.c" ] && [ ! -e "$TMP/npm.calls" ]
echo damage >>"$XDG_CACHE_HOME/racerx/tree-sitter-c-0.23.6.tgz"
sh "$TMP/grammar.sh" "$TMP/out" >/dev/null 2>&1
[ -e "$TMP/npm.calls" ]

rm -rf "$XDG_CACHE_HOME" "$TMP/out"
serve 15
words='ABI is 15' expect "$TMP/grammar.sh" "$TMP/out"
[ ! -e "$TMP/out/parser.c" ]
