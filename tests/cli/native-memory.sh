#!/bin/bash
# Memory of C programs: what constructors and libc allocate, and blocks of any size.
. "$(dirname "$0")/../library.sh"

# A constructor's memory is the program's: it can be resized and freed, and is put back.
cat > constructor.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int *cells;
static char *name;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
__attribute__((constructor)) static void before(void) {
    cells = calloc(4, sizeof *cells);
    free(malloc(8));
    name = strcpy(malloc(4), "abc");
    name = realloc(name, 100);
    strcat(name, "def");
    cells[1] = 7;
}
__attribute__((destructor)) static void after(void) {
    free(cells);
}
static void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    cells[1]++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    assert(cells[1] == 7 && strcmp(name, "abcdef") == 0);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    cells = realloc(cells, 1000);
    assert(cells[1] == 9);
    free(cells), cells = NULL;
    name[0] = 'x';
    free(name);
#ifdef BUG
    free(name);
#endif
    return 0;
}
END
expect 0 "$heddle" check --json constructor.c
json '.executions == 2'
expect 1 "$heddle" check --json -DBUG constructor.c
json '.errors[0].kind == "double-free" and .errors[0].line == 36'
json '.errors[0].schedule | contains("read cells[1] -> 7")'

# What libc would allocate is in the program's heap as well.
cat > libc.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char *text, *path = realpath("/usr/..", NULL), *here = getcwd(NULL, 0);
    assert(asprintf(&text, "%s-%d", "abc", 12) == 6 && strcmp(text, "abc-12") == 0);
    assert(strcmp(path, "/") == 0 && here[0] == '/');
    free(text);
    free(path);
    free(here);
    free(strdup("abc"));
    return 0;
}
END
expect 0 "$heddle" check libc.c

# Where that is not known, it is said, and no error is made up.
cat > paths.c << 'END'
#include <glob.h>
int main(void) {
    glob_t found;
    return glob("/*", 0, 0, &found);
}
END
expect 2 "$heddle" check paths.c
says err 'unsupported: glob at .*paths\.c:4'
cat > foreign.c << 'END'
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char *login = cuserid(NULL);
    free(login);
    return 0;
}
END
sed -i '1i #define _XOPEN_SOURCE' foreign.c
expect 2 "$heddle" check foreign.c
says err 'unsupported: free of memory that a library has allocated at .*foreign\.c:6'
printf '#include <stdlib.h>\nint main(void) { free((void *)0x1230); return 0; }\n' > wild.c
expect 1 "$heddle" check --json wild.c
json '.errors[0].kind == "invalid-free"'

# Blocks of any size, which cost what is touched of them and start out equal every time.
cat > large.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(int argc, char **arguments) {
    size_t size = strtoul(arguments[1], NULL, 10);
    pthread_t threads[4];
    char *small = malloc(100000);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, run, NULL);
    assert(argc == 2 && !malloc(SIZE_MAX) && !calloc(SIZE_MAX, 8));
    for (int i = 0; i < 2; i++) {
        char *block = malloc(size);
        assert(block && block[0] == 0 && block[size / 2] == 0 && block[size - 1] == 0);
        block[0] = block[size / 2] = block[size - 1] = small[99999] = 1;
        free(block);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return 0;
}
END
expect 0 "$heddle" check --json large.c -- 1000000000
json '.executions == 24 and .peak_bytes < 200000000'
expect 3 "$heddle" check --json large.c -- 100000000000
json '.verdict == "incomplete"'
json '.warnings | any(test("an allocation is larger than the heap of a thread in heddle"))'

# Where only some executions ask for that much, the others are explored.
cat > asks.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int size = 10, seen;
static void *work(void *unused) {
    size = 17;
    seen = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    char *block = malloc(((size_t)size << 30) / (size == 17 ? 1 : 1 << 20));
    free(block);
#ifdef WRONG
    assert(!seen);
#endif
    pthread_join(thread, NULL);
    return 0;
}
END
for algorithm in pop optimal source observers none; do
    checked 3 --json --algorithm=$algorithm asks.c
    json '.verdict == "incomplete" and .executions >= 1 and (.errors | length) == 0'
    checked 1 --json --algorithm=$algorithm -DWRONG asks.c
done

# A program that ends by a signal of its own.
for case in ABRT:1:abort SEGV:1:crash BUS:1:crash TERM:0: CHLD:0:; do
    IFS=: read -r name status kind <<< "$case"
    printf '#include <signal.h>\nint main(void) { raise(SIG%s); return 0; }\n' "$name" > raise.c
    expect "$status" "$heddle" check --json raise.c
    [ -z "$kind" ] || json ".errors[0].kind == \"$kind\" and .errors[0].line == 2"
done
