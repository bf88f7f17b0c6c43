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

# CMake wants tools for link-time optimisation, by names that it derives from that of the compiler.
if command -v cmake > /dev/null; then
    mkdir optimised
    echo 'int one(void) { return 1; }' > optimised/one.c
    echo 'int one(void); int main(void) { return one() - 1; }' > optimised/main.c
    cat > optimised/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.13)
project(optimised C)
include(CheckIPOSupported)
check_ipo_supported()
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
add_library(one STATIC one.c)
add_executable(program main.c)
target_link_libraries(program one)
END
    expect 0 cmake -S optimised -B optimised/build "-DCMAKE_C_COMPILER=$folder/stage/opt/heddle/bin/heddle-cc"
    expect 0 cmake --build optimised/build
    expect 0 stage/opt/heddle/bin/heddle check optimised/build/program
fi

# A prefix with a blank in it: heddle, its compiler and its headers are found there, and nothing of it is left.
expect 0 make -s -C "$root" install PREFIX="$folder/own place"
expect 0 "own place/bin/heddle" check --json choose.c
json '.executions == 3'
expect 0 "own place/bin/heddle-cc" -g -o chooses choose.c
expect 0 ./chooses
if command -v pkg-config > /dev/null; then
    eval "set -- $(PKG_CONFIG_PATH="$folder/own place/lib/pkgconfig" pkg-config --cflags --libs heddle-check)"
    printf '#include <heddle/check.h>\nstatic void f(void *a) { (void)a; }\nint main(void) { return heddle_check(f, 0, 0); }\n' > one.c
    expect 0 gcc -o one one.c "$@"
    expect 0 ./one
fi
expect 0 make -s -C "$root" uninstall PREFIX="$folder/own place"
[ -z "$(find "own place" ! -type d)" ] || fail "make uninstall leaves $(find "own place" ! -type d)"

# Processes: under heddle, and on real threads with the library that was installed.
expect 0 stage/opt/heddle/bin/heddle check --json "$root/tests/actor/both/fifo.c"
json '.executions == 20'
expect 0 gcc -I stage/opt/heddle/include "$root/tests/actor/both/fifo.c" -L stage/opt/heddle/lib \
    -lheddle-actor -pthread -o fifo
expect 0 ./fifo

# pkg-config knows the headers and the library; bash completes commands, options, algorithms, kinds.
if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH=$folder/stage/opt/heddle/lib/pkgconfig
    flags=$(pkg-config --define-variable=prefix="$folder/stage/opt/heddle" --cflags --libs heddle)
    expect 0 gcc "$root/tests/actor/both/fifo.c" $flags -o fifo
    expect 0 ./fifo
    [ "$(pkg-config --modversion heddle)" = "$("$heddle" --version | cut -d' ' -f2)" ] || fail "version"
fi
. stage/opt/heddle/share/bash-completion/completions/heddle
complete_words() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMPREPLY=()
    COMP_WORDS[0]=$heddle
    _heddle
    printf '%s\n' "${COMPREPLY[@]}" | paste -sd' '
}
[ "$(complete_words heddle ex)" = explain ] || fail "commands"
[ "$(complete_words heddle check --sar)" = --sarif= ] || fail "options"
[ "$(complete_words heddle merge --sar)" = --sarif= ] || fail "options of merge"
[ "$(complete_words heddle explain double)" = double-free ] || fail "kinds"
[ "$(complete_words heddle check --algorithm=opt)" = "" ] || fail "a whole word is not completed"
[ "$(COMP_WORDBREAKS='=' complete_words heddle check --algorithm opt)" = optimal ] || fail "algorithms"

# From any directory, by a name that is a link; and away with it.
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

# The Debian package has the same files, and runs from where it is unpacked.
if command -v dpkg-shlibdeps > /dev/null; then
    expect 0 "$root/scripts/deb.sh" "$folder/package"
    expect 0 dpkg-deb -x package/heddle_*.deb unpacked
    for document in $(grep -oE 'docs/[A-Za-z./-]+\.(md|json)' "$root/README.md" "$root/docs/heddle.1" -h | sort -u); do
        [ -f "unpacked/usr/share/doc/heddle/$document" ] || fail "the package lacks $document"
    done
    expect 0 unpacked/usr/bin/heddle check --json choose.c
    json '.executions == 3'
    expect 0 dpkg-deb -f package/heddle_*.deb Depends
    says out 'libc6.*libdw1.*gcc'
    ! grep -q mpi out || fail "heddle needs MPI"
    if [ -e package/heddle-mpi_*.deb ]; then
        expect 0 dpkg-deb -x package/heddle-mpi_*.deb unpacked
        expect 0 env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
            mpirun --oversubscribe -n 2 unpacked/usr/bin/heddle-mpi check choose.c
    fi
    if command -v lintian > /dev/null; then
        expect 0 lintian --allow-root --fail-on error,warning package/heddle_*.deb
    fi
fi
