#!/bin/bash
# Everything that belongs to a C program is the same at the start of every execution, and in every
# run of heddle. The first line of each program names the verdict, or the kind of its error:
#   // verified: REASON      // bug KIND: REASON      // unsupported WORDS: REASON
# "// options: …" in the second line are options of heddle.
. "$(dirname "$0")/../library.sh"
export HEDDLE_CHECK_RESET=1 # an internal error if something was not put back

for program in "$root"/tests/native/restore/*.c; do
    read -r _ verdict kind < "$program"
    options=$(sed -n '2s|^// options: ||p' "$program")
    kind=${kind%%:*}
    # shellcheck disable=SC2086
    case $verdict in
        verified:)
            expect 0 "$heddle" check --json $options "$program"
            json '.verdict == "verified"' ;;
        bug)
            expect 1 "$heddle" check --json $options "$program"
            json ".verdict == \"bug\" and .errors[0].kind == \"$kind\"" ;;
        unsupported)
            expect 2 "$heddle" check --json $options "$program"
            json ".errors[0].message | contains(\"$kind\")" ;;
        *) fail "$program names no verdict" ;;
    esac
done

# Addresses are the same in every run, where the system permits it.
cat > address.c << 'CODE'
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
static int variable;
int main(void) {
    uintptr_t bits = (uintptr_t)&variable >> 12 ^ (uintptr_t)stdout >> 13;
    assert(bits & 1);
    return 0;
}
CODE
"$heddle" cc -o address address.c
if setarch -R true 2> /dev/null; then
    status=0
    "$heddle" check address > /dev/null 2>&1 || status=$?
    for _ in 1 2 3 4 5 6 7 8; do
        expect "$status" "$heddle" check address
    done
fi

# A loop that waits for an own variable is endless only if nobody else can know of the variable.
cat > spin.c << 'CODE'
#include <pthread.h>
static _Atomic(int *) published;
static void *worker(void *unused) {
    int *p = published;
    if (p) {
        __atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
    }
    return unused;
}
int main(void) {
    pthread_t t;
    int flag = 0, *seen = &flag;
#ifdef PUBLISH
    published = &flag;
#endif
    pthread_create(&t, NULL, worker, NULL);
    while (!__atomic_load_n(seen, __ATOMIC_SEQ_CST)) {
    }
    pthread_join(t, NULL);
    return 0;
}
CODE
expect 0 "$heddle" check --watchdog=1 --max-steps=100 --json -DPUBLISH spin.c
json '.errors == []'
expect 1 "$heddle" check --watchdog=1 --max-steps=100 --json spin.c
json '.errors[0].kind == "hang"'

# Files and the standard input: the same in every execution, from the beginning.
printf 'first\nsecond 2\nthird' > data.txt
printf '17 words of input\nrest' > input.txt
cat > files.c << 'CODE'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static FILE *shared;
static _Atomic int firsts;
static void *reader(void *unused) {
    char line[20];
    assert(fgets(line, sizeof line, shared) == line);
    firsts += strcmp(line, "first\n") == 0;
    return unused;
}
int main(void) {
    pthread_t t;
    int number;
    char word[20], *line = NULL;
    size_t room = 0;
    struct stat status;
    shared = fopen("data.txt", "r");
    assert(shared && !fopen("missing.txt", "r") && errno == ENOENT);
    pthread_create(&t, NULL, reader, NULL);
    reader(NULL);
    pthread_join(t, NULL);
    assert(firsts == 1 && !feof(shared));
    assert(getc(shared) == 't' && ungetc('T', shared) == 'T');
    assert(getline(&line, &room, shared) == 5 && strcmp(line, "Third") == 0);
    assert(getc(shared) == EOF && feof(shared));
    assert(fseek(shared, 6, SEEK_SET) == 0 && fscanf(shared, "%s %d", word, &number) == 2);
    assert(strcmp(word, "second") == 0 && number == 2 && ftell(shared) == 14);
    fclose(shared);
    assert(scanf("%d %*s", &number) == 1 && number == 17);
    assert(fread(word, 1, 3, stdin) == 3 && memcmp(word, " of", 3) == 0);
    int descriptor = open("data.txt", O_RDONLY);
    assert(descriptor == 3 && fstat(descriptor, &status) == 0 && status.st_size == 20);
    assert(lseek(descriptor, -5, SEEK_END) == 15 && read(descriptor, word, 20) == 5);
    assert(read(descriptor, word, 20) == 0 && close(descriptor) == 0);
    free(line);
#ifdef WRITE
    fopen("data.txt", "w");
#elif defined CREATE
    open("other.txt", O_WRONLY | O_CREAT, 0600);
#elif defined REMOVE
    remove("data.txt");
#elif defined BUG
    assert(getchar() != ' ');
#endif
    return 0;
}
CODE
expect 0 bash -c "'$heddle' check files.c < input.txt"
expect 0 bash -c "cat input.txt | '$heddle' check files.c"
expect 1 bash -c "'$heddle' check --json -DBUG files.c < input.txt"
json '.errors[0].kind == "assertion"'
for change in WRITE CREATE REMOVE; do
    expect 2 bash -c "'$heddle' check -D$change files.c < input.txt"
    says err '^heddle: unsupported'
done
[ "$(cat data.txt)" = "$(printf 'first\nsecond 2\nthird')" ] || fail "a file was changed"

# A replay has the same times and the same steps as the exploration.
cat > again.c << 'CODE'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static _Atomic int x;
static void end(void) {
    x = 5;
}
static void *sleeper(void *unused) {
    sleep(3);
    x = 1;
    if (x == 2) {
        atexit(end);
    }
    return unused;
}
static void *looker(void *unused) {
    int seen = x;
    assert(time(NULL) < 1000000003 || seen != 1);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sleeper, NULL);
    pthread_create(&b, NULL, looker, NULL);
    pthread_join(a, NULL);
    exit(0);
}
CODE
for first in lowest highest; do
    expect 1 "$heddle" check --first=$first --schedule=found again.c
    expect 1 "$heddle" replay found
    says out '^Replayed [0-9]+ steps as recorded\.$'
done

# What differs each second time is not for that reason uninitialised.
cat > alternates.c << 'CODE'
#include <stdlib.h>
#include <syslog.h>
static volatile int x, y;
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    if (setlogmask(setlogmask(0) ^ 1) % 2) {
        x = 1;
    } else {
        y = 1;
    }
    free(p);
    return 0;
}
CODE
expect 2 "$heddle" check alternates.c
says err 'not deterministic: .* alternates\.c'

# The check can fail: nobody puts back what a program writes into libc's data by itself.
cat > canary.c << 'CODE'
#include <stdio.h>
int main(void) {
    stdout->_unused2[0] ^= 1;
    return 0;
}
CODE
expect 70 "$heddle" check canary.c
says err 'not put back: .*libc'
for program in "$root"/tests/native/suite/*.c "$root"/examples/*.c; do
    status=0
    "$heddle" check --max-executions=500 "$program" > out 2> err < /dev/null || status=$?
    [ $status -ne 70 ] || fail "$program: something was not put back"
done
echo passed
