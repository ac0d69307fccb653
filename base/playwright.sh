#!/bin/sh
# playwright.sh DIR : the library that drives a browser in tests, ready to import as DIR/playwright-core/index.mjs.
#
# OUT  DIR/playwright-core, from the npm package at the version and with the checksum pinned below. Nothing of it is
#      run here, and it fetches no browser: the tests use the system's Chromium.
# The package is kept in $XDG_CACHE_HOME/racerx (or ~/.cache/racerx; DIR when neither can be written), as the grammar is
# (extract/grammar.sh); its checksum is compared before each use.
set -eu

# One that runs on node 18, which Debian 12 has.
version=1.60.0
integrity=9bW6zvX/m0lEbgTKJ6YppOKx8H3VOPBMOCFh2irXFOT4BbHgrx5hPjwJYLT40Lu+4qtD36qKc/Hn56StUW57IA==
package=playwright-core-$version.tgz

die() {
    echo "playwright: $*" >&2
    exit 2
}

is_intact() {
    wanted=$(printf %s "$integrity" | base64 -d | od -An -v -tx1 | tr -d ' \n')
    found=$(sha512sum <"$1" | cut -d' ' -f1)
    [ "$wanted" = "$found" ]
}

find_cache() {
    cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
    if [ -n "$cache" ] && mkdir -p "$cache/racerx" 2>/dev/null && [ -w "$cache/racerx" ]; then
        echo "$cache/racerx"
    else
        echo "$1"
    fi
}

# fetch FILE : in a directory of its own, so that no .npmrc near by takes part.
fetch() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo "  NPM playwright-core@$version"
    (cd "$work" && npm pack --loglevel=error --ignore-scripts --prefer-offline "playwright-core@$version" >npm.log 2>&1) || {
        cat "$work/npm.log" >&2
        die "npm could not fetch playwright-core@$version: check the network and npm's registry setting," \
            "or put $package into $(dirname "$1")"
    }
    is_intact "$work/$package" ||
        die "$package as fetched does not have the checksum that is pinned; nothing was used of it"
    cp "$work/$package" "$1.$$"
    mv -f "$1.$$" "$1"
}

[ $# = 1 ] || die "usage: playwright.sh DIR"
mkdir -p "$1"
kept=$(find_cache "$1")/$package
if [ -f "$kept" ] && ! is_intact "$kept"; then
    echo "playwright: $kept does not have the checksum that is pinned: fetching it again" >&2
    rm -f "$kept"
fi
[ -f "$kept" ] || fetch "$kept"
rm -rf "$1/unpack.$$" "$1/playwright-core"
mkdir -p "$1/unpack.$$"
tar -xzf "$kept" -C "$1/unpack.$$" --no-same-owner package
mv "$1/unpack.$$/package" "$1/playwright-core"
rmdir "$1/unpack.$$"
touch "$1/playwright-core/index.mjs"
