#!/usr/bin/env bash
# html.sh [--build DIR] [N]: how fast a page of N findings (10,000) opens in headless Chromium, and how large it is.
#
# The page is made by bench/html_list.c. Of five openings, each in a fresh profile, the median is printed: until the first
# rows can be read, until the script is ready, and how long a search, a sort and opening a packed finding take.
set -eu
cd "$(dirname "$0")/.."
build=build
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2 && shift 2 ;;
    *) break ;;
    esac
done
count=${1:-10000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bench/html_list" "$count" "$work/sources" >"$work/page.html"
export PLAYWRIGHT=$PWD/build/browser/playwright-core/index.mjs CHROMIUM
CHROMIUM=$(command -v chromium)
node bench/html.mjs "$work/page.html" "$count"
