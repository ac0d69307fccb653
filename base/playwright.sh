#!/bin/sh
# playwright.sh DIR : the library that drives a browser in tests, ready to import as DIR/playwright-core/index.mjs.
# tests/fetch brings the npm package at the version and with the checksum pinned below. Nothing of it is run here, and it
# fetches no browser: the tests use the system's Chromium.
set -eu
# One that runs on node 18, which Debian 12 has.
version=1.60.0
integrity=9bW6zvX/m0lEbgTKJ6YppOKx8H3VOPBMOCFh2irXFOT4BbHgrx5hPjwJYLT40Lu+4qtD36qKc/Hn56StUW57IA==
[ $# = 1 ] || { echo "usage: playwright.sh DIR" >&2; exit 2; }
rm -rf "$1/unpack.$$" "$1/playwright-core"
sh "$(dirname "$0")/../tests/fetch" playwright-core "$version" "$integrity" "$1/unpack.$$" >&2
mv "$1/unpack.$$/package" "$1/playwright-core"
rm -rf "$1/unpack.$$"
touch "$1/playwright-core/index.mjs"
