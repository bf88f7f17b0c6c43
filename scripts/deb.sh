#!/bin/bash
# scripts/deb.sh DIRECTORY: builds the Debian package heddle_VERSION_ARCHITECTURE.deb into the directory, from
# what make has built, and heddle-mpi_VERSION_ARCHITECTURE.deb if that has heddle-mpi, so that heddle
# needs no MPI. Needs dpkg-dev. DEBFULLNAME and DEBEMAIL say who maintains it, as they do for
# Debian's own tools.
set -euo pipefail
cd "$(dirname "$0")/.."
directory=$1
version=$(sed -n 's/^.define HEDDLE_VERSION "\(.*\)"/\1/p' src/base/version.h)
architecture=$(dpkg --print-architecture)
date=$(date -R -r src/base/version.h)
maintainer="${DEBFULLNAME:-The heddle authors} <${DEBEMAIL:-heddle@example.org}>"
mkdir -p "$directory"
root=$(mktemp -d)
mpi=$(mktemp -d)
trap 'rm -rf "$root" "$mpi"' EXIT
chmod 755 "$root" "$mpi"

make -s install DESTDIR="$root" PREFIX=/usr
strip --strip-unneeded "$root/usr/bin/heddle"
find "$root" -name '*.a' -exec strip --strip-debug {} +
mv "$root/usr/lib/pkgconfig" "$root/usr/share/" # there is one place for all architectures
gzip -9n "$root/usr/share/man/man1/heddle.1"
manual() { # NAME PURPOSE WHERE: a short manual page
    printf '.TH %s 1\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\nSee\n.BR %s\n' "${1^^}" "$1" "$2" "$3" |
        gzip -9n > "$root/usr/share/man/man1/$1.1.gz"
}
manual heddle-cc "compile C programs for heddle" 'heddle (1).'
for tool in ar ranlib; do
    manual heddle-gcc-$tool "gcc-$tool, by the name that CMake derives from heddle-cc" "gcc-$tool (1)."
done

documents=$root/usr/share/doc/heddle
mkdir -p "$documents" "$mpi/usr/bin" "$mpi/usr/share/doc/heddle-mpi" "$mpi/usr/share/man/man1"
cp -r examples README.md "$documents/"
mkdir "$documents/docs" # where README.md and the manual page refer to
cp -r docs/*.md docs/scaling.svg docs/schema "$documents/docs/"
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

# What a package needs of shared libraries is what its program was linked with.
libraries() {
    mkdir -p "$1/debian"
    echo "Source: heddle" > "$1/debian/control"
    (cd "$1" && dpkg-shlibdeps -O "$2" 2> /dev/null) | sed -n 's/^shlibs:Depends=//p'
    rm -r "$1/debian"
}

# package ROOT NAME DEPENDS SUGGESTS: the description is the standard input.
package() {
    mkdir -p "$1/DEBIAN"
    {
        echo "Package: $2"
        [ "$2" = heddle ] || echo "Source: heddle"
        echo "Version: $version"
        echo "Architecture: $architecture"
        echo "Maintainer: $maintainer"
        echo "Installed-Size: $(du -ks "$1/usr" | cut -f 1)"
        echo "Depends: $3"
        echo "Suggests: $4"
        echo "Section: devel"
        echo "Priority: optional"
        cat
    } > "$1/DEBIAN/control"
    (cd "$1" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$1/DEBIAN/md5sums"
    dpkg-deb --root-owner-group --build "$1" "$directory/$2_${version}_$architecture.deb"
}

if [ -e "$root/usr/bin/heddle-mpi" ]; then
    mv "$root/usr/bin/heddle-mpi" "$mpi/usr/bin/"
    strip --strip-unneeded "$mpi/usr/bin/heddle-mpi"
    cp "$documents"/{copyright,changelog.gz} "$mpi/usr/share/doc/heddle-mpi/"
    printf '.TH HEDDLE-MPI 1\n.SH NAME\nheddle-mpi \\- explore with heddle on the ranks of an MPI job\n.SH SYNOPSIS\n.B mpirun \\-n\n.I RANKS\n.B heddle-mpi check\n.I ...\n.SH DESCRIPTION\nSee\n.BR heddle (1).\n' |
        gzip -9n > "$mpi/usr/share/man/man1/heddle-mpi.1.gz"
    package "$mpi" heddle-mpi "$(libraries "$mpi" usr/bin/heddle-mpi), heddle (= $version)" openmpi-bin << 'END'
Description: stateless model checker for concurrent C programs, on a cluster
 heddle takes over the scheduler of a C program and covers every behaviour of
 it. heddle-mpi does so on all ranks of an MPI job, with the same result.
END
fi

# gcc and libc's headers are what `heddle check` runs.
package "$root" heddle "$(libraries "$root" usr/bin/heddle), gcc | clang, libc6-dev" "gdb, heddle-mpi" << 'END'
Description: stateless model checker for concurrent C programs
 heddle takes over the scheduler of a C program (pthreads, C11 atomics,
 message passing), runs it natively again and again, and covers every
 behaviour on its input while executing only one interleaving of each
 equivalence class. It finds assertion failures, crashes, deadlocks, data
 races and memory errors, each as a schedule that can be read, replayed and
 debugged, and otherwise shows that there is none.
END
