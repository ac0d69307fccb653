#!/bin/sh
# grammar.sh DIR : the C grammar of tree-sitter, ready to compile.
#
# OUT  DIR/parser.c and DIR/tree_sitter/parser.h, from the npm package at the version and
#      with the checksum pinned below.
# The package is kept in $XDG_CACHE_HOME/racerx (or ~/.cache/racerx; DIR when neither can
# be written), so that it is fetched once per machine; its checksum is compared before each use.
set -eu

version=0.23.6
integrity=0dxXKznVyUA0s6PjNolJNs2yF87O5aL538A/eR6njA5oqX3C3vH4vnx3QdOKwuUdpKEcFdHuiDpRKLLCA/tjvQ==
# What the runtime of Debian 12 reads: 13 and 14.
newest_abi=14
package=tree-sitter-c-$version.tgz

die() {
    echo "grammar: $*" >&2
    exit 2
}

is_intact() {
    wanted=$(printf %s "$integrity" | base64 -d | od -An -v -tx1 | tr -d ' \n')
    found=$(sha512sum <"$1" | cut -d' ' -f1)
    [ "$wanted" = "$found" ]
}

# Where the package is kept between builds.
find_cache() {
    cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
    if [ -n "$cache" ] && mkdir -p "$cache/racerx" 2>/dev/null && [ -w "$cache/racerx" ]; then
        echo "$cache/racerx"
    else
        echo "$1"
    fi
}

# fetch FILE : the package from npm, in a directory of its own so that no .npmrc near by takes part.
fetch() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo "  NPM tree-sitter-c@$version"
    (cd "$work" && npm pack --loglevel=error --ignore-scripts --prefer-offline "tree-sitter-c@$version" >npm.log 2>&1) || {
        cat "$work/npm.log" >&2
        die "npm could not fetch tree-sitter-c@$version: check the network and npm's registry setting," \
            "or put $package into $(dirname "$1")"
    }
    [ -f "$work/$package" ] || die "npm pack did not leave $package"
    is_intact "$work/$package" ||
        die "$package as fetched does not have the checksum that is pinned: it is not what we build with; nothing was used of it"
    # A copy under another name first: another make may be doing the same.
    cp "$work/$package" "$1.$$"
    mv -f "$1.$$" "$1"
}

check_abi() {
    abi=$(sed -n 's/^#define LANGUAGE_VERSION \([0-9][0-9]*\).*/\1/p' "$1")
    [ -n "$abi" ] || die "$1 names no LANGUAGE_VERSION: this is no tree-sitter parser"
    [ "$abi" -le "$newest_abi" ] ||
        die "the grammar's ABI is $abi, and Debian's tree-sitter runtime reads 13 to $newest_abi: it would refuse it." \
            "Versions 0.24 and later are such; pin 0.23.6 in extract/grammar.sh"
}

unpack() {
    rm -rf "$2/unpack.$$"
    mkdir -p "$2/unpack.$$"
    tar -xzf "$1" -C "$2/unpack.$$" --no-same-owner package/src/parser.c package/src/tree_sitter package/LICENSE
    source=$2/unpack.$$/package
    check_abi "$source/src/parser.c"
    mkdir -p "$2/tree_sitter"
    cp "$source/src/tree_sitter/"*.h "$2/tree_sitter/"
    cp "$source/LICENSE" "$2/LICENSE"
    # The generator switches optimisation off, to compile fast; the lexer is where parsing spends its time.
    sed '/^#pragma GCC optimize/d; /^#pragma clang optimize/d; /^#pragma optimize/d' "$source/src/parser.c" >"$2/parser.c.$$"
    mv -f "$2/parser.c.$$" "$2/parser.c"
    rm -rf "$2/unpack.$$"
}

[ $# = 1 ] || die "usage: grammar.sh DIR"
mkdir -p "$1"
kept=$(find_cache "$1")/$package
if [ -f "$kept" ] && ! is_intact "$kept"; then
    echo "grammar: $kept does not have the checksum that is pinned: fetching it again" >&2
    rm -f "$kept"
fi
[ -f "$kept" ] || fetch "$kept"
unpack "$kept" "$1"
