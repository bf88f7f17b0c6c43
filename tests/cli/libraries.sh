#!/bin/bash
# examples/libraries: each builds with heddle-cc by its own build, is verified, and its bug is found.
. "$(dirname "$0")/../library.sh"
mkdir bin
ln -s "$heddle" bin/heddle-cc
export PATH=$folder/bin:$PATH CC=heddle-cc
cp -r "$root/examples/libraries" libraries
(cd libraries/cache && autoreconf -i) > out 2>&1 || fail "autoreconf"

build() { # FOLDER MACRO: makes MACRO/driver
    local from=$folder/libraries/$1
    mkdir -p "$2" && cd "$2"
    case $1 in
        pool) cp "$from"/* . && make -s CC=heddle-cc CFLAGS="-O2 -g -D$2" ;;
        ring) cmake -S "$from" -B . -DCMAKE_C_FLAGS="-D$2" && cmake --build . ;;
        hazard) meson setup "-Dc_args=-D$2" . "$from" && ninja ;;
        cache) "$from/configure" CFLAGS="-g -D$2" && make -s ;;
    esac > build.log 2>&1 || fail "$1 -D$2 does not build: $(tail -5 build.log)"
    cd ..
}

while read -r library macro pattern; do
    build "$library" "RIGHT_$library"
    expect 0 "$heddle" check "RIGHT_$library/driver"
    expect 0 "RIGHT_$library/driver"
    build "$library" "$macro"
    expect 1 "$heddle" check "$macro/driver"
    says out "$pattern"
done << 'ROWS'
pool FORGET_LAST waits for a signal of p->changed
ring PUBLISH_EARLY data race on numbers\.slots
hazard NO_RECHECK use after free
cache STALE_HIT assertion failed: cache_count
ROWS
