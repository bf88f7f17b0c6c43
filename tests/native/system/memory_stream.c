/* Streams in memory: each is an object of its own, and what threads write to one is in some order.
 */
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *shared;

static void *use_own(void *unused) {
    char *text = NULL, line[16];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert(fprintf(out, "%d-%s", 12, "ab") == 5 && fputc('c', out) == 'c' && fflush(out) == 0);
    assert(size == 6 && strcmp(text, "12-abc") == 0);
    fputs("def", out);
    assert(fwrite("ghi", 1, 3, out) == 3 && ftell(out) == 12 && fclose(out) == 0);
    assert(size == 12 && strcmp(text, "12-abcdefghi") == 0);

    FILE *in = fmemopen(text, size, "r");
    int number = 0;
    assert(fscanf(in, "%d", &number) == 1 && number == 12 && fgetc(in) == '-');
    assert(fgets(line, sizeof line, in) && strcmp(line, "abcdefghi") == 0 && feof(in));
    assert(fgetc(in) == EOF && fputc('x', in) == EOF && fileno(in) == -1 && fclose(in) == 0);
    free(text);

    char room[8] = "1234567";
    out = fmemopen(room, sizeof room, "w");
    assert(fputs("ab", out) >= 0 && fclose(out) == 0 && memcmp(room, "ab\0004567", 8) == 0);
    out = fmemopen(room, sizeof room, "w+");
    assert(room[0] == '\0' && fputs("abc", out) >= 0 && fclose(out) == 0);
    assert(strcmp(room, "abc") == 0);
    out = fmemopen(room, sizeof room, "a");
    assert(fputs("de", out) >= 0 && fclose(out) == 0 && strcmp(room, "abcde") == 0);

    FILE *both = tmpfile();
    assert(fputs("one\ntwo\n", both) >= 0);
    rewind(both);
    assert(fgets(line, sizeof line, both) && strcmp(line, "one\n") == 0);
    fseek(both, 1, SEEK_SET);
    fputc('X', both);
    fseek(both, 0, SEEK_SET);
    assert(fgets(line, sizeof line, both) && strcmp(line, "oXe\n") == 0);
    fclose(both);
    return unused;
}

/* What is before the position; what does not fit shows when it is written; no errors of malloc. */
static void edges(void) {
    char *text, room[4] = "";
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert(fputs("abcdef", out) >= 0 && fseek(out, 2, SEEK_SET) == 0 && fflush(out) == 0);
    assert(size == 2 && fputc('X', out) == 'X' && fflush(out) == 0 && size == 3);
    assert(memcmp(text, "abX", 3) == 0 && fclose(out) == 0 && size == 3);
    free(text);
    out = fmemopen(room, sizeof room, "w");
    assert(fputs("12345", out) >= 0 && fflush(out) == EOF && ferror(out));
    assert(fclose(out) == 0 && memcmp(room, "123", 4) == 0);
    out = fmemopen(room, sizeof room, "a");
    assert(fputc('4', out) == '4' && fclose(out) == 0 && memcmp(room, "1234", 4) == 0);
    out = fmemopen(room, sizeof room, "w");
    assert(fseek(out, 5, SEEK_SET) == -1 && errno == EINVAL && fclose(out) == 0);
    assert(memcmp(room, "1234", 4) == 0);
    out = fmemopen(room, sizeof room, "r+");
    assert(fseek(out, 2, SEEK_SET) == 0 && fputs("XY", out) >= 0 && fputc('Z', out) == 'Z');
    room[0] = '0';
    assert(fclose(out) == EOF && memcmp(room, "02XY", 4) == 0);
}

/* Streams that are only read or only written; what rewind clears; what is left after a flush. */
static void modes(void) {
    char *text, room[4] = "123";
    size_t size;
    FILE *out = fmemopen(room, sizeof room, "w");
    assert(fputs("ab", out) >= 0 && fseek(out, 0, SEEK_SET) == 0);
    assert(fgetc(out) == EOF && errno == EBADF && ferror(out));
    rewind(out);
    assert(!ferror(out) && fclose(out) == 0 && memcmp(room, "ab\0", 4) == 0);
    FILE *in = fmemopen(room, sizeof room, "r");
    assert(fputs("x", in) == EOF && errno == EBADF && ferror(in) && fgetc(in) == 'a');
    assert(fclose(in) == 0);
    in = fmemopen(room, 0, "r");
    assert(in && fgetc(in) == EOF && feof(in) && fclose(in) == 0);
    assert(!fmemopen(room, sizeof room, "") && errno == EINVAL);
    out = open_memstream(&text, &size);
    assert(fputs("abcdef", out) >= 0 && fseek(out, 1, SEEK_SET) == 0 && fflush(out) == 0);
    assert(size == 1 && strcmp(text, "abcdef") == 0 && fclose(out) == 0);
    assert(size == 1 && strcmp(text, "a") == 0);
    free(text);
}

static char line[8] = "1234567";

/* Of what a stream has not written, others may do as they like. */
static void *write_behind(void *unused) {
    FILE *out = fmemopen(line, sizeof line, "r+");
    assert(fseek(out, 4, SEEK_SET) == 0 && fputs("ab", out) >= 0 && fseek(out, 0, SEEK_SET) == 0);
    assert(fclose(out) == 0);
    return unused;
}

static void beside(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_behind, NULL);
    char before = 0;
    for (int i = 0; i < 4; i++) {
        before ^= line[i];
    }
    pthread_join(thread, NULL);
    assert(before == ('1' ^ '2' ^ '3' ^ '4') && strcmp(line, "1234ab7") == 0);
}

static void *add(void *word) {
    fputs(word, shared);
#ifdef FLUSH
    fflush(shared);
#endif
    return NULL;
}

static void share(void) {
    char *text, a[] = "a", b[] = "b";
    size_t size;
    pthread_t thread;
    shared = open_memstream(&text, &size);
    pthread_create(&thread, NULL, add, a);
    add(b);
#ifdef EARLY
    fclose(shared);
#endif
    pthread_join(thread, NULL);
#ifndef EARLY
    fclose(shared);
#endif
#ifdef ORDER
    assert(strcmp(text, "ab") == 0);
#endif
    assert(size == 2 && (strcmp(text, "ab") == 0 || strcmp(text, "ba") == 0));
    free(text);
}

/* Sections are tried and undone before they are executed. */
static void *add_twice(void *word) {
    heddle_atomic_begin();
    fputs(word, shared);
    fputs(word, shared);
    fflush(shared);
    heddle_atomic_end();
    return NULL;
}

static void share_in_sections(void) {
    char *text, a[] = "a", b[] = "b";
    size_t size;
    pthread_t thread;
    shared = open_memstream(&text, &size);
    pthread_create(&thread, NULL, add_twice, a);
    add_twice(b);
    pthread_join(thread, NULL);
    fclose(shared);
    assert(strcmp(text, "aabb") == 0 || strcmp(text, "bbaa") == 0);
    free(text);
}

int main(void) {
#ifdef EDGES
    edges();
    modes();
#elif defined BESIDE
    beside();
#elif defined SECTIONS
    share_in_sections();
#elif defined OWN
    pthread_t thread;
    pthread_create(&thread, NULL, use_own, NULL);
    use_own(NULL);
    pthread_join(thread, NULL);
#else
    share();
#endif
    (void)share, (void)use_own, (void)edges, (void)modes, (void)beside,
        (void)share_in_sections;
    return 0;
}
