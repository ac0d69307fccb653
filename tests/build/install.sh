#!/bin/bash
# make install and uninstall: everything that help speaks of is there, shells complete, and all of it goes again; the package.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"
cd "$root" || exit 1
build=$(dirname "$RACERX")
[ "$(basename "$build")" = build ] || { echo "only of the plain build"; exit 77; }
place=$work/place
make --no-print-directory -s install DESTDIR="$place" PREFIX=/usr >"$work/log" 2>&1 || not_ok install "$(tail -n 3 "$work/log")"
racerx=$place/usr/bin/racerx
doc=$place/usr/share/doc/racerx
missing=
named() { # the manuals that help, the manual page and messages name
    for command in $("$racerx" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do "$racerx" help "$command"; done
    cat docs/racerx.1
    grep -rhoE '"[^"]*"' racerx/cli rank annotators --include=*.c
}
for manual in $(named | grep -oE '\b(docs|rank|annotators)/[a-zA-Z_/-]*\.md\b' | sort -u); do
    [ -e "$doc/$manual" ] || missing+=" $manual"
done
same manuals "$missing" ''
same help-says-where "$("$racerx" help | sed -n 's/^Manuals .* are in //p')" "$(realpath "$doc")"
same presets "$(ls "$doc"/annotators/*.lua | wc -l)" "$(ls annotators/*.lua | wc -l)"

# What bash completes.
complete_words() { # WORD...: the last is completed
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _racerx; printf "%s " "${COMPREPLY[@]}"' - \
        "$place/usr/share/bash-completion/completions/racerx" "$@"
}
same commands "$(complete_words racerx sh)" 'show '
same options "$(complete_words racerx list --ch)" '--changed-since '
same formats "$(complete_words racerx report --format sa)" 'sarif '
same kinds "$(complete_words racerx list --kind dou)" 'double-lock '
same verdict-words "$(complete_words racerx mark 3 fal)" 'false '
every=
for command in $("$racerx" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    for shell in "bash-completion/completions/racerx" "zsh/vendor-completions/_racerx" "fish/vendor_completions.d/racerx.fish"; do
        grep -q "\b$command\b" "$place/usr/share/$shell" || every+=" $command:$shell"
    done
done
same every-command "$every" ''
! command -v zsh >/dev/null || same zsh "$(zsh -n "$place/usr/share/zsh/vendor-completions/_racerx" 2>&1)" ''
! command -v fish >/dev/null || same fish "$(fish -n "$place/usr/share/fish/vendor_completions.d/racerx.fish" 2>&1)" ''

# The package.
if command -v dpkg-deb >/dev/null && command -v readelf >/dev/null; then
    cp -a "$place" "$work/deb"
    SOURCE_DATE_EPOCH=1700000000 DEBEMAIL=who@racerx.dev sh base/deb.sh "$work" 0.0.1 >"$work/log" 2>&1 || not_ok deb "$(tail -n 3 "$work/log")"
    package=$(ls "$work"/*.deb)
    same name "$(dpkg-deb -f "$package" Package Version | tr '\n' ' ')" 'Package: racerx Version: 0.0.1 '
    same depends "$(dpkg-deb -f "$package" Depends | grep -c 'libsqlite3-0')" 1
    same content "$(dpkg-deb -c "$package" | grep -c 'usr/bin/racerx$\|man1/racerx.1.gz$\|completions/racerx$')" 3
    ! command -v lintian >/dev/null || same lintian "$(lintian "$package" 2>/dev/null)" ''
fi

make --no-print-directory -s uninstall DESTDIR="$place" PREFIX=/usr
same nothing-left "$(find "$place" -type f)" ''
finish
