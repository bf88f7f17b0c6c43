#!/bin/bash
# make install puts the tool, its headers, its library and its manual page where PREFIX and DESTDIR
# say, and what
# was installed finds its header.
. "$(dirname "$0")/../library.sh"

[ -x "$root/build/heddle" ] || { echo "build/heddle is not there"; exit 1; }
expect 0 make -s -C "$root" install DESTDIR="$folder/stage" PREFIX=/opt/heddle
expect 0 stage/opt/heddle/bin/heddle check --program='wx1 / rx'
[ -r stage/opt/heddle/share/man/man1/heddle.1 ] || fail "no manual page"
printf '#include <heddle.h>\nint main(void) { heddle_assert(heddle_choose(3) < 3); }\n' > choose.c
expect 0 stage/opt/heddle/bin/heddle check --json choose.c
json '.executions == 3'

# Processes: under heddle, and on real threads with the library that was installed.
expect 0 stage/opt/heddle/bin/heddle check --json "$root/tests/actor/both/fifo.c"
json '.executions == 20'
expect 0 gcc -I stage/opt/heddle/include "$root/tests/actor/both/fifo.c" -L stage/opt/heddle/lib \
    -lheddle-actor -pthread -o fifo
expect 0 ./fifo

# From any folder, by a name that is a link; and away with it.
mkdir -p far/away
ln -s "$folder/stage/opt/heddle/bin/heddle" linked
cd far/away
expect 0 "$folder/linked" check --json ../../choose.c
json '.executions == 3'
cd "$folder"
expect 0 env PATH="$folder/stage/opt/heddle/bin:$PATH" heddle cc choose.c -o choose
expect 0 stage/opt/heddle/bin/heddle check ./choose
expect 0 make -s -C "$root" uninstall DESTDIR="$folder/stage" PREFIX=/opt/heddle
[ -z "$(find stage -type f)" ] || fail "left: $(find stage -type f)"
