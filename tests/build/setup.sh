# Set-up says nothing when all is there; without root it prints the line to run and stops with 2;
# as root it installs what is missing, and only that. apt-get and id are stand-ins here.
set -eu
mkdir -p "$TMP/bin"
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$TMP/bin/$1" && chmod +x "$TMP/bin/$1"; }
stand_in apt-get 'echo "$*" >>"$TMP/apt.calls"; case "$*" in *install*) : >"$TMP/installed" ;; esac'
stand_in sudo 'exit 1'
# Lua alone is missing until it was installed.
real=$(command -v pkg-config)
stand_in pkg-config "case \"\$*\" in *--exists*lua*) [ -e \"\$TMP/installed\" ] ;; *) exec $real \"\$@\" ;; esac"
export PATH=$TMP/bin:$PATH

stand_in id 'echo 1000'
status=0
sh base/setup.sh build 2>"$TMP/said" || status=$?
[ $status = 2 ]
grep -q '^    apt-get update && apt-get install -y --no-install-recommends liblua5.4-dev *$' "$TMP/said"
[ ! -e "$TMP/apt.calls" ]

stand_in id 'echo 0'
status=0 # building alone only looks, whoever we are
sh base/setup.sh --look --flags "$TMP/none.mk" build 2>"$TMP/said" || status=$?
[ $status = 2 ] && [ ! -e "$TMP/apt.calls" ] && [ ! -e "$TMP/none.mk" ]
grep -q 'make run.*make test' "$TMP/said" && grep -q 'install -y --no-install-recommends liblua5.4-dev *$' "$TMP/said"
sh base/setup.sh build 2>"$TMP/said"
grep -q 'install -y --no-install-recommends liblua5.4-dev$' "$TMP/apt.calls"

rm "$TMP/apt.calls"
sh base/setup.sh --flags "$TMP/flags.mk" build >"$TMP/said" 2>&1
[ ! -s "$TMP/said" ] && [ ! -e "$TMP/apt.calls" ]
grep -q '^PACKAGE_LIBS := .*-lsqlite3' "$TMP/flags.mk"
