#!/bin/bash
# make install puts the tool and its manual page where PREFIX and DESTDIR say.
. "$(dirname "$0")/../library.sh"

[ -x "$root/build/heddle" ] || { echo "build/heddle is not there"; exit 1; }
expect 0 make -s -C "$root" install DESTDIR="$folder/stage" PREFIX=/opt/heddle
expect 0 stage/opt/heddle/bin/heddle check --program='wx1 / rx'
[ -r stage/opt/heddle/share/man/man1/heddle.1 ] || fail "no manual page"
