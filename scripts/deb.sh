#!/bin/bash
# scripts/deb.sh FOLDER: builds the Debian package heddle_VERSION_ARCHITECTURE.deb into the folder, from
# what make has built. Needs dpkg-dev. DEBFULLNAME and DEBEMAIL say who maintains it, as they do for
# Debian's own tools.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
version=$(sed -n 's/^.define HEDDLE_VERSION "\(.*\)"/\1/p' src/base/version.h)
architecture=$(dpkg --print-architecture)
date=$(date -R -r src/base/version.h)
maintainer="${DEBFULLNAME:-The heddle authors} <${DEBEMAIL:-heddle@example.org}>"
mkdir -p "$folder"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

make -s install DESTDIR="$root" PREFIX=/usr
strip --strip-unneeded "$root/usr/bin/heddle"
find "$root" -name '*.a' -exec strip --strip-debug {} +
mv "$root/usr/lib/pkgconfig" "$root/usr/share/" # there is one place for all architectures
gzip -9n "$root/usr/share/man/man1/heddle.1"
printf '.TH HEDDLE-CC 1\n.SH NAME\nheddle-cc \\- compile C programs for heddle\n.SH DESCRIPTION\nSee\n.BR heddle (1),\n"heddle cc".\n' |
    gzip -9n > "$root/usr/share/man/man1/heddle-cc.1.gz"

documents=$root/usr/share/doc/heddle
mkdir -p "$documents"
cp -r examples README.md "$documents/"
find "$documents" -type f -exec chmod 644 {} +
{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    echo
    echo 'Files: *'
    echo 'Copyright: 2026 The heddle authors'
    echo 'License: MIT'
    sed '1,4d; s/^$/./; s/^/ /' LICENSE
} > "$documents/copyright"
printf 'heddle (%s) unstable; urgency=medium\n\n  * This release.\n\n -- %s  %s\n' "$version" "$maintainer" "$date" |
    gzip -9n > "$documents/changelog.gz"

# What it needs of shared libraries is what it was linked with; gcc and libc's headers are what
# `heddle check` runs.
mkdir -p "$root/debian" "$root/DEBIAN"
echo "Source: heddle" > "$root/debian/control"
libraries=$(cd "$root" && dpkg-shlibdeps -O usr/bin/heddle 2> /dev/null | sed -n 's/^shlibs:Depends=//p')
rm -r "$root/debian"
cat > "$root/DEBIAN/control" << END
Package: heddle
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -ks "$root/usr" | cut -f 1)
Depends: $libraries, gcc | clang, libc6-dev
Suggests: gdb
Section: devel
Priority: optional
Description: stateless model checker for concurrent C programs
 heddle takes over the scheduler of a C program (pthreads, C11 atomics,
 message passing), runs it natively again and again, and covers every
 behaviour on its input while executing only one interleaving of each
 equivalence class. It finds assertion failures, crashes, deadlocks, data
 races and memory errors, each as a schedule that can be read, replayed and
 debugged, and otherwise shows that there is none.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
dpkg-deb --root-owner-group --build "$root" "$folder/heddle_${version}_$architecture.deb"
