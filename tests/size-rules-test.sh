#!/bin/bash
# The sizes of files and functions are enforced: violations are planted one by one, and each must be
# named.
. "$(dirname "$0")/library.sh"

mkdir copy
cp -r "$root"/{src,oracle} copy
rules() { "$root/tests/size-rules.sh" "$PWD/copy"; }
expect 0 rules

# lines COUNT LINE
lines() { for ((i = 0; i < $1; i++)); do echo "$2"; done; }

# plant FILE PATTERN: FILE is what comes from the standard input, and is refused for that.
plant() {
    cat > "copy/$1"
    expect 1 rules
    says out "^$1$2"
    rm "copy/$1"
}

# allowed FILE: the same, and it is not refused.
allowed() {
    cat > "copy/$1"
    expect 0 rules
    rm "copy/$1"
}

lines 501 '/* long */' | plant src/base/long.c ': 501 lines, at most 500'
lines 501 '/* long */' | plant oracle/long.h ': 501 lines, at most 500'
lines 500 '/* long */' | allowed src/base/long.c

# body COUNT HEAD…: a definition with so many lines in braces, after another one.
body() {
    echo 'int other;'
    echo
    printf '%s\n' "${@:2}"
    lines "$1" '    x = 1;'
    echo '}'
}
body 49 'static void f(void) {' | plant src/core/f.c ':3: a function of 51 lines, at most 50'
body 48 'static void f(void) {' | allowed src/core/f.c
body 48 'static void f(int a,' '              int b) {' | plant oracle/f.c ':3: a function of 51 lines'
body 49 'f(void) { /* a comment */' | plant src/dpor/f.h ':3: a function of 51 lines'
body 49 '__attribute__((noinline)) struct a *f(void) {' | plant src/core/f.c ':3: a function of 51'

# Tables, types and long comments are no functions.
body 60 'static const int table[] = {' | allowed src/core/f.c
body 60 'typedef struct table {' | allowed src/core/f.c
body 60 'enum table {' | allowed src/core/f.c
{ echo '/* Begins'; lines 60 ' * goes on (and on) {'; echo ' */'; } | allowed src/core/f.c

# The last file counts as well, and so does every function of a file.
{ body 10 'void f(void) {'; body 60 'void g(void) {'; } | plant src/zone.c ':17: a function of 62 lines'
expect 0 rules

# Code without assertions lowers the share of its directory.
lines 400 'int x;' > copy/src/core/unchecked.c
expect 1 rules
says out '^src/core: [0-9]+ assertions in [0-9]+ lines, at least 2 per hundred are wanted'
