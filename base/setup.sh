#!/bin/sh
# setup.sh GROUP... : makes sure that what a group needs is on this machine.
#
# IN   names of groups: build, browser, bench, fuzz, format.
# OUT  status 0 and no word when everything is there: no network is touched then.
#      Otherwise what is missing is installed with apt-get, when we are root or sudo asks
#      for no password; else the line to run is printed, and the status is 2.
#
# `setup.sh --look …` installs nothing: it only says what is missing, and the status is 2.
# `setup.sh --flags FILE` writes the compiler's and the linker's flags for the libraries as
# two make variables; the file is left alone when nothing changed.
set -eu

# group, Debian package, and how to see that it is there: a command, or a pkg-config module.
needs='
build  gcc                 command gcc
build  make                command make
build  pkg-config          command pkg-config
build  libc6-dev           header  stdio.h
build  libpcre2-dev        module  libpcre2-8
build  libsqlite3-dev      module  sqlite3
build  liblua5.4-dev       module  lua5.4
build  zlib1g-dev          module  zlib
build  libmicrohttpd-dev   module  libmicrohttpd
build  libjansson-dev      module  jansson
build  libdw-dev           module  libdw
build  npm                 command npm
build  ca-certificates     package ca-certificates
test   jq                  command jq
test   sqlite3             command sqlite3
browser chromium           command chromium
browser nodejs             command node
bench  universal-ctags     command ctags
bench  lua5.4              command lua5.4
fuzz   clang               command clang
fuzz   libclang-rt-14-dev  package libclang-rt-14-dev
format clang-format        command clang-format
'
modules='libpcre2-8 sqlite3 lua5.4 zlib libmicrohttpd jansson libdw libelf'

die() {
    echo "set-up: $*" >&2
    exit 2
}

package_is_installed() {
    case $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) in
    *' installed') return 0 ;;
    esac
    return 1
}

# is_there KIND NAME PACKAGE
is_there() {
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    module) pkg-config --exists "$2" 2>/dev/null || { ! command -v pkg-config >/dev/null 2>&1 && package_is_installed "$3"; } ;;
    header) [ -e "/usr/include/$2" ] || package_is_installed "$3" ;;
    # Only Debian has packages by these names; elsewhere the build itself will tell.
    package) ! command -v dpkg-query >/dev/null 2>&1 || package_is_installed "$2" ;;
    esac
}

missing_packages() {
    echo "$needs" | while read -r group package kind name; do
        [ -n "$group" ] || continue
        case " $* " in
        *" $group "*) is_there "$kind" "$name" "$package" || printf '%s ' "$package" ;;
        esac
    done
}

# say_missing PACKAGE... : what is missing and how to get it; stops.
say_missing() {
    echo "set-up: missing: $*. \`make run\` and \`make test\` install it, or run this as root:" >&2
    echo "    apt-get update && apt-get install -y --no-install-recommends $*" >&2
    exit 2
}

# install PACKAGE... : with apt-get, or says how and stops.
install() {
    line="apt-get update && apt-get install -y --no-install-recommends $*"
    command -v apt-get >/dev/null 2>&1 ||
        die "missing: $*. There is no apt-get here: install what this system calls these Debian packages, then run make again"
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if sudo -n true 2>/dev/null; then
            as_root='sudo -n'
        else
            echo "set-up: missing: $*. Run this as root, then make again:" >&2
            echo "    $line" >&2
            exit 2
        fi
    fi
    echo "set-up: installing $* (this takes a minute or two)" >&2
    log=$(mktemp)
    options='-qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0'
    # $as_root and $options are lists: their words are meant to be split.
    # shellcheck disable=SC2086
    {
        $as_root apt-get $options update || echo "set-up: apt-get update failed; trying with the lists that are here"
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get $options install -y --no-install-recommends "$@" || status=$?
    } >"$log" 2>&1 </dev/null
    [ "${status:-0}" = 0 ] || cat "$log" >&2
    rm -f "$log"
    [ "${status:-0}" = 0 ] || die "apt-get could not install $*; see above, or try: $line"
}

write_flags() {
    fresh=$1.$$
    mkdir -p "$(dirname "$1")"
    {
        echo "PACKAGE_CFLAGS := $(pkg-config --cflags $modules)"
        echo "PACKAGE_LIBS := $(pkg-config --libs $modules)"
    } >"$fresh"
    if cmp -s "$fresh" "$1"; then
        rm -f "$fresh"
    else
        mv -f "$fresh" "$1"
    fi
}

flags= look=
while :; do
    case ${1:-} in
    --look) look=1 && shift ;;
    --flags) flags=$2 && shift 2 ;;
    *) break ;;
    esac
done
missing=$(missing_packages "$@")
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086
    [ -z "$look" ] || say_missing $missing
    # shellcheck disable=SC2086
    install $missing
    missing=$(missing_packages "$@")
    [ -z "$missing" ] || die "installed, but still not to be seen: $missing"
fi
[ -z "$flags" ] || write_flags "$flags"
