#!/bin/bash
# getopt and its relatives do what libc's do, and start over in every execution.
. "$(dirname "$0")/../library.sh"

cat > options.c << 'CODE'
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static char text[2000];
static size_t used;
static const struct option *names;
static int call(int round, int argc, char **argv, const char *letters, int *index) {
    return round == 0   ? getopt(argc, argv, letters)
           : round == 1 ? getopt_long(argc, argv, letters, names, index)
                        : getopt_long_only(argc, argv, letters, names, index);
}
static void *nothing(void *unused) {
    __atomic_fetch_add(&used, 0, __ATOMIC_SEQ_CST);
    return unused;
}
int main(int argc, char **argv) {
    static int flag;
    const struct option all[] = {{"alpha", no_argument, 0, 'a'},
                                 {"beta", required_argument, 0, 'b'},
                                 {"beto", optional_argument, &flag, 7},
                                 {"gamma", optional_argument, 0, 'g'},
                                 {0, 0, 0, 0}};
    const char *letters = argv[--argc];
    names = all;
    opterr = 0;
    for (int round = 0; round < 3; round++) {
        int c, index = -1;
        optind = round ? 0 : optind;
        while ((c = call(round, argc, argv, letters, &index)) != -1) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%d,%d,%s,%d,%d.%d;", c, optind,
                                     optarg ? optarg : "-", c == '?' || c == ':' ? optopt : 0,
                                     index, flag);
        }
        for (int i = optind; i < argc; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %s", argv[i]);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "/");
    }
#ifdef EXPECTED
    pthread_t one, other;
    pthread_create(&one, NULL, nothing, NULL);
    pthread_create(&other, NULL, nothing, NULL);
    assert(strcmp(text, EXPECTED) == 0);
#else
    puts(text);
#endif
    return 0;
}
CODE
gcc -w -o options options.c
count=0
while read -r line; do
    # shellcheck disable=SC2086
    expected=$(./options $line)
    # shellcheck disable=SC2086
    expect 0 "$heddle" check --json "-DEXPECTED=\"$expected\"" options.c -- $line
    json '.executions > 1'
    count=$((count + 1))
done << 'LINES'
-a x -b 3 y -c ab:c
x -ab3 y -- -a z ab:c
x y -ca -b ab:c
-a x -b +ab:
-a x -b 7 y -ab:
-g -g5 x -z :ag::b:
-b :b:
--alpha x --beta=5 --beto --gam=7 --bet y --beta ab:g
--alpha=3 x --bet -a --nothing ab:
-alpha -beta 4 -ax -gamma=2 -zeta x ab:g
- -- - a
x y ab
x -a y -a z -a -- w a
LINES
[ $count -eq 13 ] || fail "not all lines were tried"

# Its variables are the program's: two threads that use them race.
cat > race.c << 'CODE'
#include <pthread.h>
#include <unistd.h>
static void *other(void *unused) {
    optind = 1;
    return unused;
}
int main(int argc, char **argv) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    getopt(argc, argv, "a");
    pthread_join(t, NULL);
    return 0;
}
CODE
expect 1 "$heddle" check --json race.c
json '.errors[0].kind == "data-race" and (.errors[0].message | contains("data race on optind:"))'
echo passed
