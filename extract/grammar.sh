#!/bin/sh
# grammar.sh DIR : tree-sitter's C grammar and its runtime, ready to compile.
#
# OUT  DIR/parser.c and DIR/tree_sitter/*.h: the grammar; DIR/runtime/: the library (src/lib.c is all of it).
#      Each is an npm package at the version and with the checksum pinned below.
# The packages are kept in $XDG_CACHE_HOME/racerx (or ~/.cache/racerx; DIR when neither can
# be written), so that they are fetched once per machine; their checksums are compared before each use.
set -eu

grammar=tree-sitter-c@0.23.6
grammar_integrity=0dxXKznVyUA0s6PjNolJNs2yF87O5aL538A/eR6njA5oqX3C3vH4vnx3QdOKwuUdpKEcFdHuiDpRKLLCA/tjvQ==
runtime=tree-sitter@0.25.1
runtime_integrity=mrcEdkYtHfrK1A6fs3O6FxkBo0Qig5XUXqHhxUOQu0bmPo00QF4XaSx4edpazdHwxnSCjlGKGgIqWdaN4dvTLA==
# extract/watch.c puts a lexer in front of the grammar's own, by a structure of these ABIs; the runtime reads 13 to 15.
newest_abi=14

die() {
    echo "grammar: $*" >&2
    exit 2
}

is_intact() { # file, checksum
    wanted=$(printf %s "$2" | base64 -d | od -An -v -tx1 | tr -d ' \n')
    found=$(sha512sum <"$1" | cut -d' ' -f1)
    [ "$wanted" = "$found" ]
}

# Where packages are kept between builds.
find_cache() {
    cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
    if [ -n "$cache" ] && mkdir -p "$cache/racerx" 2>/dev/null && [ -w "$cache/racerx" ]; then
        echo "$cache/racerx"
    else
        echo "$1"
    fi
}

# fetch FILE NAME@VERSION CHECKSUM : from npm, in a directory of its own so that no .npmrc near by takes part.
fetch() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    package=$(basename "$1")
    echo "  NPM $2"
    (cd "$work" && npm pack --loglevel=error --ignore-scripts --prefer-offline "$2" >npm.log 2>&1) || {
        cat "$work/npm.log" >&2
        die "npm could not fetch $2: check the network and npm's registry setting," \
            "or put $package into $(dirname "$1")"
    }
    [ -f "$work/$package" ] || die "npm pack did not leave $package"
    is_intact "$work/$package" "$3" ||
        die "$package as fetched does not have the checksum that is pinned: it is not what we build with; nothing was used of it"
    # A copy under another name first: another make may be doing the same.
    cp "$work/$package" "$1.$$"
    mv -f "$1.$$" "$1"
    rm -rf "$work"
}

# keep DIR NAME@VERSION CHECKSUM : sets `kept` to the package's file, fetched when it is not there or not whole.
keep() {
    kept=$(find_cache "$1")/$(echo "$2" | tr @ -).tgz
    if [ -f "$kept" ] && ! is_intact "$kept" "$3"; then
        echo "grammar: $kept does not have the checksum that is pinned: fetching it again" >&2
        rm -f "$kept"
    fi
    [ -f "$kept" ] || fetch "$kept" "$2" "$3"
}

check_abi() {
    abi=$(sed -n 's/^#define LANGUAGE_VERSION \([0-9][0-9]*\).*/\1/p' "$1")
    [ -n "$abi" ] || die "$1 names no LANGUAGE_VERSION: this is no tree-sitter parser"
    [ "$abi" -le "$newest_abi" ] ||
        die "the grammar's ABI is $abi, and extract/watch.c knows 13 to $newest_abi:" \
            "versions 0.24 and later are such; pin 0.23.6 in extract/grammar.sh, or teach watch.c"
}

unpack_grammar() { # package, directory
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

# Only its sources: the package also has programs, which nothing here runs.
unpack_runtime() { # package, directory
    rm -rf "$2/unpack.$$"
    mkdir -p "$2/unpack.$$" "$2/tree_sitter"
    tar -xzf "$1" -C "$2/unpack.$$" --no-same-owner package/vendor/tree-sitter/lib package/LICENSE
    source=$2/unpack.$$/package
    cp "$source/LICENSE" "$source/vendor/tree-sitter/lib/"
    cp "$source/vendor/tree-sitter/lib/include/tree_sitter/api.h" "$2/tree_sitter/api.h"
    rm -rf "$2/runtime"
    mv "$source/vendor/tree-sitter/lib" "$2/runtime"
    rm -rf "$2/unpack.$$"
}

[ $# = 1 ] || die "usage: grammar.sh DIR"
mkdir -p "$1"
keep "$1" "$runtime" "$runtime_integrity"
unpack_runtime "$kept" "$1"
keep "$1" "$grammar" "$grammar_integrity"
unpack_grammar "$kept" "$1"
