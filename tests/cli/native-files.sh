#!/bin/bash
# Files that a C program changes: refused by name without --allow-files, really changed with it.
. "$(dirname "$0")/../library.sh"

# Every function of the table that changes files.
declare -A calls=(
    [open]='open("x", O_WRONLY | O_CREAT, 0600)' [openat]='openat(AT_FDCWD, "x", O_RDWR)'
    [creat]='creat("x", 0600)' [fopen]='fopen("x", "w") != 0' [unlink]='unlink("x")'
    [rename]='rename("x", "y")' [remove]='remove("x")' [link]='link("x", "y")'
    [symlink]='symlink("x", "y")' [mkdir]='mkdir("x", 0700)' [rmdir]='rmdir("x")'
    [truncate]='truncate("x", 0)' [ftruncate]='ftruncate(5, 0)' [chmod]='chmod("x", 0)'
    [fchmod]='fchmod(5, 0)' [chown]='chown("x", 0, 0)' [mkfifo]='mkfifo("x", 0600)'
    [mkstemp]='mkstemp((char[]){"xXXXXXX"})' [mkdtemp]='mkdtemp((char[]){"xXXXXXX"}) != 0'
    [utimensat]='utimensat(AT_FDCWD, "x", 0, 0)' [unlinkat]='unlinkat(AT_FDCWD, "x", 0)'
)
cat > call.c << 'CODE'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void) {
    return CALL;
}
CODE
echo kept > x
for name in "${!calls[@]}"; do
    expect 2 "$heddle" check "-DCALL=${calls[$name]}" call.c
    says err "^heddle: unsupported without --allow-files: heddle runs the program many times, and $name writes a file at call\.c:8$"
    [ "$(ls; cat x)" = "$(printf 'call.c\nerr\nout\nx\nkept')" ] || fail "$name: files were changed"
done

# By the names that they have with -D_FILE_OFFSET_BITS=64, as Meson has it.
for name in openat creat mkstemp; do
    expect 2 "$heddle" check -D_FILE_OFFSET_BITS=64 "-DCALL=${calls[$name]}" call.c
    says err "heddle runs the program many times, and $name writes a file at call\.c:8$"
    [ "$(ls; cat x)" = "$(printf 'call.c\nerr\nout\nx\nkept')" ] || fail "$name: files were changed"
done

# Where nothing is changed: standard output and /dev/null.
cat > null.c << 'CODE'
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void) {
    FILE *out = fopen("/dev/null", "w");
    assert(out && fprintf(out, "%d", 17) == 2 && fputs("x", out) >= 0 && fclose(out) == 0);
    int d = open("/dev/null", O_WRONLY);
    assert(d >= 0 && write(d, "abc", 3) == 3 && dprintf(d, "%s", "ab") == 2 && close(d) == 0);
    struct iovec parts[] = {{"ab", 2}, {"c", 1}};
    assert(writev(1, parts, 2) == 3 && writev(d, parts, 2) == -1);
    assert(write(d, "abc", 3) == -1 && dprintf(1, "%d", 5) == 1 && putc_unlocked('x', stdout) == 'x');
    return 0;
}
CODE
expect 0 "$heddle" check --json null.c
json '.warnings == []'

cat > write.c << 'CODE'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static void *writer(void *name) {
    pthread_mutex_lock(&mutex);
    fprintf(out, "%s %d\n", (char *)name, 7);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
static void streams(void) {
    char line[80];
    pthread_t t;
    out = fopen("out.txt", "w");
    assert(out);
    pthread_create(&t, NULL, writer, "one");
    writer("two");
    pthread_join(t, NULL);
    fputs("end", out);
    assert(fputc('!', out) == '!' && ftell(out) == 16 && fclose(out) == 0);
    FILE *in = fopen("out.txt", "r");
    assert(in && fgets(line, sizeof line, in) && fputc('?', in) == EOF && errno == EBADF);
    assert(strcmp(line, "one 7\n") == 0 || strcmp(line, "two 7\n") == 0);
#ifdef BUG
    assert(strcmp(line, "one 7\n") == 0);
#endif
    fclose(in);
    FILE *more = fopen("out.txt", "a");
    assert(fwrite("more", 1, 4, more) == 4 && fclose(more) == 0);
}
static void descriptors(void) {
    char bytes[10];
    struct stat s;
    int d = open("other.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(d == 3 && write(d, "hello", 5) == 5 && pwrite(d, "J", 1, 0) == 1);
    assert(lseek(d, 0, SEEK_SET) == 0 && read(d, bytes, 10) == 5 && memcmp(bytes, "Jello", 5) == 0);
    assert(fstat(d, &s) == 0 && s.st_size == 5 && ftruncate(d, 2) == 0);
    assert(fstat(d, &s) == 0 && s.st_size == 2 && write(d, "!", 1) == 1);
    assert(fstat(d, &s) == 0 && s.st_size == 6 && close(d) == 0 && write(d, "!", 1) == -1);
    assert(rename("other.txt", "third.txt") == 0 && access("other.txt", F_OK) != 0);
    assert(stat("third.txt", &s) == 0 && s.st_size == 6 && unlink("third.txt") == 0);
    assert(stat("third.txt", &s) != 0 && mkdir("folder", 0700) == 0 && rmdir("folder") == 0);
}
int main(void) {
    streams();
    descriptors();
    return 0;
}
CODE
expect 0 "$heddle" check --allow-files --json write.c
json '.executions == 2'
json '.warnings == ["the program has changed files, in every execution; they were not restored"]'
[ "$(sort out.txt)" = "$(printf 'end!more\none 7\ntwo 7')" ] || fail "out.txt is not as written"
[ ! -e other.txt ] && [ ! -e third.txt ] && [ ! -e folder ] || fail "files were left"
expect 1 "$heddle" check --allow-files --json -DBUG --schedule=found write.c
json '.errors[0].kind == "assertion"'
expect 1 "$heddle" replay --allow-files found
says out '^Replayed [0-9]+ steps as recorded\.$'

# A mapping is a copy: changes of what is mapped would have to show in it.
cat > mapped.c << 'CODE'
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
    int d = open("mapped.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(d == 3 && ftruncate(d, 12288) == 0 && pwrite(d, "hello", 5, 4096) == 5);
    const char *place = mmap(NULL, 4096, PROT_READ, MAP_SHARED, d, 4096);
    assert(place != MAP_FAILED && place[0] == 'h' && place[5] == 0);
#ifdef CHANGE
    CHANGE;
#endif
    assert(pwrite(d, "before", 6, 0) == 6 && pwrite(d, "after", 5, 8192) == 5);
    assert(pwrite(d, "hello", 5, 4096) == 5 && ftruncate(d, 10000) == 0);
    assert(place[0] == 'h' && munmap((void *)place, 4096) == 0);
    return pwrite(d, "other", 5, 4096) != 5;
}
CODE
expect 0 "$heddle" check --allow-files --exit-status mapped.c
for change in 'pwrite(d, "J", 1, 4096)' 'pwrite(d, "!", 1, 8191)' 'ftruncate(d, 4096)' \
    'fclose(fopen("mapped.txt", "w"))' 'truncate("mapped.txt", 4098)' \
    'lseek(d, 4096, SEEK_SET); write(d, "w", 1)'; do
    expect 2 "$heddle" check --allow-files "-DCHANGE=$change" mapped.c
    says err '^heddle: unsupported: changing bytes of a file that are mapped at mapped\.c:12$'
done

# Where address space randomisation cannot be turned off, one warning says so.
echo 'int main(void) { return 0; }' > empty.c
expect 0 env HEDDLE_FIXED_ADDRESSES=1 "$heddle" check empty.c
says out '^Warning: addresses may differ from run to run'
echo passed

# A descriptor that another thread has closed.
cat > closed.c << 'END'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int descriptor;
static void *ask(void *unused) {
    errno = 0;
    isatty(descriptor);
#ifdef SYNC
    assert(fsync(descriptor) == 0 && fdatasync(descriptor) == 0);
#else
    assert(errno == ENOTTY);
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    descriptor = open("/dev/null", O_RDONLY);
    pthread_create(&thread, NULL, ask, NULL);
#ifdef RIGHT
    pthread_join(thread, NULL);
    close(descriptor);
#else
    close(descriptor);
    pthread_join(thread, NULL);
#endif
    return 0;
}
END
for flags in "" -DSYNC; do
    for first in lowest highest; do
        expect 1 "$heddle" check --first=$first $flags closed.c
        expect 0 "$heddle" check --first=$first $flags -DRIGHT closed.c
    done
done
