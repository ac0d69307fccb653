#!/bin/sh
# deb.sh BUILD VERSION: a Debian package of what `make install` puts in place, in BUILD/.
#
# IN   BUILD/deb, into which `make install DESTDIR=BUILD/deb PREFIX=/usr` was done.
# OUT  BUILD/racerx_VERSION_ARCH.deb; its files are as old as CHANGELOG.md (or SOURCE_DATE_EPOCH). DEBFULLNAME and DEBEMAIL name
#      who made it.
set -eu
build=$1 version=$2 root=$1/deb
arch=$(dpkg --print-architecture)
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/racerx"
doc=$root/usr/share/doc/racerx
gzip -9nf "$root/usr/share/man/man1/racerx.1"
made=${SOURCE_DATE_EPOCH:-$(stat -c %Y CHANGELOG.md)}
who="${DEBFULLNAME:-racerx} <${DEBEMAIL:-racerx@$(hostname -f 2>/dev/null || echo localhost)}>"
printf 'racerx (%s) unstable; urgency=medium\n\n  * What changed is in CHANGELOG.md beside this file.\n\n -- %s  %s\n' \
    "$version" "$who" "$(LC_ALL=C date -u -R -d "@$made")" | gzip -9n >"$doc/changelog.gz"
{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    echo 'Upstream-Name: racerx'
    echo
    echo 'Files: *'
    sed -n 's/^Copyright (c) /Copyright: (C) 2025 /p' LICENSE
    echo 'License: Expat'
    sed '1,/^Copyright/d; s/^$/./; s/^/ /' LICENSE | sed '1{/^ \.$/d}'
} >"$doc/copyright"
rm -f "$doc/LICENSE"
# What the program is linked with, by the packages that own it.
depends=$(readelf -d "$root/usr/bin/racerx" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r name; do
    path=$(ldd "$root/usr/bin/racerx" | sed -n "s|^[[:space:]]*$name => \([^ ]*\).*|\1|p")
    dpkg-query -S "$path" "/usr$path" "$(readlink -f "$path")" 2>/dev/null || true
done | sed 's/[:,].*//' | sort -u | paste -sd, | sed 's/,/, /g')
mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: racerx
Version: $version
Architecture: $arch
Maintainer: $who
Installed-Size: $(du -ks --exclude=DEBIAN "$root" | cut -f1)
Depends: ${depends:-libc6}
Suggests: git, less, gcc
Section: devel
Priority: optional
Description: finder of data races and deadlocks in C
 racerx reads the C of kernels, RTOSes and servers as it stands in a source
 tree, infers which lock guards what, and ranks the places that go against
 it. Nothing is built and no headers need to be installed. Findings are
 reviewed in a terminal, a browser or an editor, and can be made to happen
 in runs of the program.
END
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
chmod 755 "$root/usr/bin/racerx"
find "$root" -exec touch -h -d "@$made" {} +
SOURCE_DATE_EPOCH=$made dpkg-deb --root-owner-group --build "$root" "$build/racerx_${version}_$arch.deb" >/dev/null
echo "$build/racerx_${version}_$arch.deb"
