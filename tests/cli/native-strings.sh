#!/bin/bash
# A string that others make longer before it is read: it is announced as it is then.
. "$(dirname "$0")/../library.sh"

cat > grows.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static char text[8] = {'1', 0, '2', 0}, copy[16];
static int result;
static void *use(void *unused) {
    char *block;
#if WAY == 1
    result = (int)strlen(text);
#elif WAY == 2
    strcpy(copy, text), result = (int)strlen(copy);
#elif WAY == 3
    strcat(copy, text), result = (int)strlen(copy);
#elif WAY == 4
    snprintf(copy, sizeof copy, "%s", text), result = (int)strlen(copy);
#elif WAY == 5
    result = (block = strdup(text)) ? (int)strlen(block) : 0, free(block);
#elif WAY == 6
    result = (block = strndup(text, 5)) ? (int)strlen(block) : 0, free(block);
#elif WAY == 7
    int number = atoi(text);
    result = number == 1 ? 1 : number == 11 ? 2 : 3;
#elif WAY == 8
    int number = 0;
    sscanf(text, "%d", &number), result = number == 1 ? 1 : number == 11 ? 2 : 3;
#elif WAY == 9
    result = (int)strspn(text, "12");
#elif WAY == 10
    snprintf(copy, sizeof copy, "%.4s", text), result = (int)strlen(copy);
#endif
    (void)block;
    return unused;
}
static void *lengthen(void *unused) {
    text[1] = '1';
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, use, NULL);
    pthread_create(&threads[1], NULL, lengthen, NULL);
    text[2] = 0;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(result != NEVER);
    assert(result >= 1 && result <= 3);
}
END
for way in 1 2 3 4 5 6 7 8 9 10; do
    for never in 1 2 3; do
        expect 1 "$heddle" check --json --no-race-check -DWAY=$way -DNEVER=$never grows.c
        json '.errors[0].message | test("result != NEVER")'
    done
    expect 0 "$heddle" check --no-race-check -DWAY=$way -DNEVER=4 grows.c
done
for algorithm in optimal observers source context none; do
    for never in 1 2 3; do
        checked 1 -k --no-race-check --algorithm=$algorithm -DWAY=2 -DNEVER=$never grows.c
    done
done

# One without an end is an error before anything is allocated after it.
cat > endless.c << 'END'
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *text = malloc(4);
    memset(text, 'a', 4);
    char *copy = strdup(text);
    free(copy);
    free(text);
}
END
expect 1 "$heddle" check --json endless.c
json '.errors[0].kind == "overflow"'

# A function that reads several strings, or reads and then writes, has read what there was in each step.
cat > several.c << 'EOF'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char first[4] = "1", second[4] = "1", *end, *block;
static int ends[2];
static void *other(void *unused) {
    first[0] = '2';
    second[0] = '2';
#ifdef STRTOL
    end = NULL;
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    char text[80];
    pipe(ends);
    pthread_create(&thread, NULL, other, NULL);
#ifdef PRINT
    snprintf(text, sizeof text, "%s%s", first, second);
#elif defined BLOCK
    asprintf(&block, "%s%s", first, second);
    strcpy(text, block);
    free(block);
#elif defined PIPE
    dprintf(ends[1], "%s%s", first, second);
    text[read(ends[0], text, 10)] = '\0';
#elif defined STRTOL
    long value = strtol(first, &end, 10);
    sprintf(text, "%ld%d", value, end != NULL);
#endif
    pthread_join(thread, NULL);
    assert(strcmp(text, WRONG) != 0);
    return 0;
}
EOF
for what in PRINT BLOCK PIPE; do
    for algorithm in pop optimal; do
        for wrong in 11 12 21 22; do
            checked 1 -w --no-race-check --algorithm=$algorithm -D$what "-DWRONG=\"$wrong\"" several.c
        done
        checked 0 -w --no-race-check --algorithm=$algorithm -D$what '-DWRONG="13"' several.c
    done
done
for wrong in 10 11 20 21; do
    checked 1 -w --no-race-check -DSTRTOL "-DWRONG=\"$wrong\"" several.c
done
