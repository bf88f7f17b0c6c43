#!/bin/bash
# libc functions that touch the program's memory: each call races with a write to what it touches,
# and that must be found. What is not known to heddle must be named with its place.
. "$(dirname "$0")/../library.sh"

cat > call.c << 'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
static char text[64] __attribute__((aligned(16))) = "some text";
static char text2[64] __attribute__((aligned(16)));
static wchar_t wide[16] = L"wide";
static int i;
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int array[4] = {3, 1, 2, 0};
static long l;
static unsigned u;
static double d;
static char *p = text;
static time_t t;
static struct tm date;
static regex_t expression;
char *dirname(char *);
static volatile long sum;
static void *call(void *nothing) {
    sum += (long)(CALL);
    return nothing;
}
int main(void) {
    char local[64] = "a local text";
    wchar_t wlocal[16] = L"local";
    pthread_t thread;
    (void)local, (void)wlocal, (void)order;
    pthread_create(&thread, NULL, call, NULL);
    TOUCHED = 0;
    pthread_join(thread, NULL);
    return 0;
}
END

# touched | call
calls='
text[0] | memcpy(text, "x", 2)
text[0] | memcpy(text2, text, 2)
text[0] | mempcpy(text, "x", 2)
text[0] | memmove(text2, text, 2)
text[0] | memset(text, 1, 2)
text[0] | (bzero(text, 2), 0)
text[0] | (bcopy(text, text2, 2), 0)
text2[0] | (bcopy(text, text2, 2), 0)
text[0] | bcmp(text, text2, 2)
text[0] | (explicit_bzero(text, 2), 0)
text[0] | memcmp(text, text2, 2)
text[0] | memchr(text, 5, 5)
text[0] | memrchr(text, 5, 5)
text[0] | rawmemchr(text, 0)
text[0] | memmem(text, 5, "x", 1)
text2[1] | memccpy(text2, text, 32, 9)
text[0] | (swab(text, text2, 3), 0)
text2[1] | (swab(text, text2, 3), 0)
text[0] | fnmatch("*", text, 0)
text[0] | fnmatch(text, "x", 0)
text[0] | inet_addr(text)
text[0] | inet_aton(text, &(struct in_addr){0})
u | inet_aton("1.2.3.4", (struct in_addr *)&u)
date.tm_mday | timegm(&date)
wide[0] | wcscoll(wide, L"x")
wide[0] | wcstol(wide, NULL, 10)
wide[0] | wcstoul(wide, NULL, 10)
wide[0] | wcstoll(wide, NULL, 10)
wide[0] | wcstoull(wide, NULL, 10)
wide[0] | wcstod(wide, NULL)
text[0] | inet_pton(AF_INET, text, &(struct in_addr){0})
u | inet_pton(AF_INET, "1.2.3.4", &u)
u | inet_ntop(AF_INET, &u, (char[16]){""}, 16)
text2[0] | inet_ntop(AF_INET, &(unsigned){1}, text2, 16)
text[0] | basename(text)
text[4] | dirname(strcpy(text, "/a/b"))
text[0] | regcomp(&(regex_t){0}, text, 0)
text[0] | (regcomp(&expression, "a", 0), regexec(&expression, text, 0, NULL, 0))
expression.re_nsub | regcomp(&expression, "a", 0)
text[1] | readlink("/proc/self/exe", text, 8)
text[0] | gethostname(text, 8)
text[0] | strptime(text, "%d", &date)
date.tm_mday | strptime("12", "%d", &date)
text[0] | getsubopt(&(char *){text}, (char *[]){"x", NULL}, &(char *){0})
array[1] | lfind(&(int){9}, array, &(size_t){4}, sizeof *array, order)
array[3] | lsearch(&(int){9}, array, &(size_t){3}, sizeof *array, order)
p | tsearch(text, (void **)&p, order)
text[0] | (warnx("%s", text), 0)
text[0] | (syslog(0, "%s", text), 0)
text[0] | newlocale(LC_ALL_MASK, text, 0)
wide[0] | mbstowcs(wide, "abc", 8)
wide[0] | wcstombs(text, wide, 8)
text[1] | wcstombs(text, L"abc", 8)
wide[1] | wcsdup(wide)
wide[0] | wcstok(wide, L"x", &(wchar_t *){0})
wide[0] | wcsspn(wide, L"w")
text[0] | strlen(text)
text[0] | strnlen(text, 3)
text2[0] | strcpy(text2, text)
text2[0] | stpcpy(text2, text)
text2[5] | strncpy(text2, "x", 8)
text2[5] | stpncpy(text2, "x", 8)
text[0] | strcat(text, "x")
text[0] | strncat(text, "x", 1)
text[0] | strcmp(text, "x")
text[0] | strncmp(text, "x", 1)
text[0] | strcasecmp(text, "x")
text[0] | strncasecmp(text, "x", 1)
text[0] | strcoll(text, "x")
text[0] | strverscmp(text, "x")
text[0] | strxfrm(NULL, text, 0)
text2[1] | strxfrm(text2, text, 8)
text[0] | strchr(text, 32)
text[0] | strrchr(text, 32)
text[0] | strchrnul(text, 32)
text[0] | index(text, 32)
text[0] | rindex(text, 32)
text[0] | strstr(text, "x")
text[0] | strcasestr(text, "x")
text[0] | strspn(text, "somet")
text[2] | strcspn("abcd", text)
text[0] | strpbrk(text, "x")
text[4] | strtok(text, " ")
text[4] | strtok_r(text, " ", &p)
p | strtok_r(text, " ", &p)
p | strsep(&p, " ")
text[0] | strsep(&(char *){text}, " ")
text[0] | strdup(text)
text[0] | strndup(text, 3)
text[0] | atoi(text)
text[0] | strtol(text, NULL, 10)
p | strtol("17", &p, 10)
p | strtoull("17", &p, 10)
p | strtod("17", &p)
p | strtold("17", &p)
p | strtoimax("17", &p, 10)
d | modf(1.5, &d)
i | frexp(1.5, &i)
i | lgamma_r(1.5, &i)
i | remquo(5, 3, &i)
d | (sincos(1, &d, &d), 0)
u | rand_r(&u)
array[1] | (qsort(array, 4, sizeof *array, order), 0)
array[1] | bsearch(&(int){1}, array, 4, sizeof *array, order)
date.tm_hour | gmtime_r(&(time_t){0}, &date)
t | gmtime_r(&t, &(struct tm){0})
date.tm_hour | mktime(&date)
t | time(&t)
text[0] | snprintf(NULL, 0, "%s", text)
text[0] | snprintf(text, 8, "abc")
i | printf("abc%n", &i)
l | snprintf(text2, 8, "%d%ln", 7, &l)
text[0] | puts(text)
text[0] | fwrite(text, 1, 4, stdout)
text[0] | sscanf(text, "x")
i | sscanf("17", "%d", &i)
l | sscanf("1 17", "%*d %ld", &l)
d | sscanf("17", "%lf", &d)
text2[3] | sscanf("word 3", "%s", text2)
text2[3] | sscanf("word 3", "%[a-z]%*d", text2)
i | sscanf("word 3", "%*s%n", &i)
wide[0] | wcslen(wide)
wide[0] | wcscpy(wide, L"x")
wide[0] | wcscmp(wide, L"x")
wide[0] | wmemset(wide, 1, 2)
wide[0] | wcschr(wide, 5)
'
while IFS='|' read -r touched call; do
    [ -n "$touched" ] || continue
    expect 1 "$heddle" check --json -w "-DTOUCHED=$touched" "-DCALL=$call" call.c
    json '.errors[0].kind == "data-race"'
done <<< "$calls"

# What they compute, once for each family.
cat > right.c << 'END'
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[] = " one, two", *rest = text, word[8] = "?";
    int i = 0, n = 0;
    assert(cimag(csqrt(-4)) == 2 && j0(0) == 1);
    long l = 0;
    assert(strcmp(strtok(text, " ,"), "one") == 0);
    assert(strcmp(strtok(NULL, " ,"), "two") == 0);
    assert(strtok(NULL, " ,") == NULL && strtok(NULL, " ,") == NULL);
    char fields[] = "a::b";
    rest = fields;
    assert(strcmp(strsep(&rest, ":"), "a") == 0 && strcmp(strsep(&rest, ":"), "") == 0);
    assert(strcmp(strsep(&rest, ":"), "b") == 0 && !rest && !strsep(&rest, ":"));
    assert(sscanf("7 -9 word rest", "%d%ld %7[a-z]%n", &i, &l, word, &n) == 3);
    assert(i == 7 && l == -9 && n == 9 && strcmp(word, "word") == 0);
    assert(sscanf("7 x", "%d %d%n", &i, &n, &n) == 1 && n == 9);
    assert(sscanf("", "%d", &i) == EOF);
    assert(snprintf(word, 8, "ab%ncd", &n) == 4 && n == 2);
    return 0;
}
END
expect 0 "$heddle" check right.c

ln -s target link
cp "$root/tests/native/libc/values.c" .
expect 0 "$heddle" check values.c
says out 'Verdict: verified'

# Newer headers give some functions other names.
cat > renamed.c << 'END'
#include <assert.h>
long __isoc23_strtol(const char *, char **, int);
int __isoc23_sscanf(const char *, const char *, ...);
int main(void) {
    int i = 0;
    assert(__isoc23_strtol("17", 0, 10) == 17 && __isoc23_sscanf("5", "%d", &i) == 1 && i == 5);
    return 0;
}
END
expect 0 "$heddle" check renamed.c

# What regcomp makes is a block like others.
cat > compiled.c << 'END'
#include <regex.h>
int main(void) {
    regex_t e;
    regcomp(&e, "a", 0);
#ifndef LEAK
    regfree(&e);
    return regexec(&e, "a", 0, 0, 0);
#endif
    return 0;
}
END
expect 1 "$heddle" check compiled.c
expect 1 "$heddle" check --leaks=error -DLEAK compiled.c
says out 'compiled\.c:4'

# Not known: named, and nothing is verified.
cat > unknown.c << 'END'
#include <stdlib.h>
#include <sys/ipc.h>
static char name[16];
int main(void) {
    return ftok(name, 16);
}
END
expect 3 "$heddle" check unknown.c
says out '1 function that heddle does not control was called: ftok \(unknown\.c:5\)$'
echo 'int elsewhere(int); int main(void) { return elsewhere(1); }' > undefined.c
expect 2 "$heddle" check undefined.c
says err 'undefined reference to .elsewhere'
says err 'the program does not link'

# Inline assembly touches memory unseen, unless it is a barrier, a pause or arithmetic.
cat > assembly.c << 'END'
static int x;
#ifdef OUTSIDE
__asm__(".globl more\nmore: incl x(%rip)\nret");
void more(void);
#endif
int main(void) {
    int y = 1;
#ifdef CALL
    more();
#endif
    __asm__ volatile("" ::: "memory");
#ifdef __x86_64__
    __asm__ volatile("pause");
    __asm__ volatile("rep; nop");
    __asm__("addl $2, %0" : "+r"(y));
#ifdef MEMORY
    __asm__ volatile("lock incl %0" : "+m"(x));
#elif defined POINTER
    __asm__ volatile("incl (%0)" : : "r"(&x) : "memory");
#elif defined BYTES
    __asm__ volatile(".byte 0xff, 0x00" : : "a"(&x) : "memory"); /* the same */
#elif defined COPY
    int z;
    __asm__ volatile("rep movsl" : : "S"(&y), "D"(&z), "c"(1L) : "memory");
#elif defined CLOCK
    __asm__ volatile("rdtsc" : "=a"(y) : : "edx"); /* virtual time */
#endif
#endif
    return x - x;
}
END
for compiler in gcc clang; do
    expect 0 "$heddle" check --cc=$compiler assembly.c
    expect 0 "$heddle" check --cc=$compiler -DCLOCK assembly.c
done
if [ "$(uname -m)" = x86_64 ]; then
    for compiler in gcc clang; do
        for place in POINTER:19 BYTES:21 COPY:24; do
            expect 3 "$heddle" check --cc=$compiler -D${place%:*} assembly.c
            says out "inline assembly .* was reached: .* \(assembly\.c:${place#*:}\)\$"
        done
        expect 0 "$heddle" check --cc=$compiler -DOUTSIDE assembly.c
        expect 3 "$heddle" check --cc=$compiler -DOUTSIDE -DCALL assembly.c
        says out 'inline assembly .* was reached: more \(assembly\.c\)$'
    done
    # It stays known in what heddle cc made.
    expect 0 "$heddle" cc -DPOINTER -c assembly.c
    expect 3 "$heddle" check assembly.o
    says out 'inline assembly .* was reached: incl .* \(assembly\.c:19\)$'
    expect 0 "$heddle" cc assembly.o -o assembly
    expect 3 "$heddle" check assembly
    says out 'inline assembly .* was reached: incl .* \(assembly\.c:19\)$'
    expect 3 "$heddle" check --optimize -DPOINTER assembly.c
fi

# Structs by value are announced, wherever they are; builtins that are expanded are not.
cat > by-value.c << 'END'
struct big { int a[8]; };
struct big shared, *pointer = &shared;
static int use(struct big b) { return b.a[0]; }
int main(void) {
    struct big local = shared;
#ifdef GLOBAL
    return use(shared);
#elif defined POINTED
    return use(*pointer);
#elif defined KNOWN
    pointer = &local;
    return use(local);
#elif defined STATIC
    static struct big hidden;
    return use(hidden);
#elif defined EXPANDED
    __builtin_strcpy((char *)&shared, "abc");
    return 0;
#else
    return use(local);
#endif
}
END
for level in "" --optimize; do
    for case in LOCAL GLOBAL POINTED KNOWN STATIC; do
        expect 0 "$heddle" check $level -D$case by-value.c
    done
    expect 3 "$heddle" check $level -DEXPANDED by-value.c
    says out 'builtin .* reached.*\(by-value\.c:17\)$'
done

# Two names of one function in a program.
cat > names.c << 'END'
#include <malloc.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    jmp_buf place;
    sigjmp_buf other;
    (void)argv;
    if (getc(stdin) != EOF || fgetc(stdin) != EOF || getc_unlocked(stdin) != EOF) {
        _exit(2);
    }
    free(memalign(16, 16)), free(aligned_alloc(16, 16));
    if (!setjmp(place)) {
        longjmp(place, 1);
    }
    if (!sigsetjmp(other, 0)) {
        siglongjmp(other, 1);
    }
    _Exit(argc - 1);
}
END
expect 0 "$heddle" check --exit-status names.c
expect 1 "$heddle" check --exit-status names.c -- 1
expect 0 "$heddle" cc -o names names.c
expect 0 "$heddle" check names
expect 0 ./names

# What a program passes by mistake is its own error, or the function fails.
cat > mistakes.c << 'END'
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <wchar.h>
int main(void) {
    static long none[64];
    wchar_t wide[4];
    const char *text = NULL;
    mbstate_t state = {0};
    assert(hcreate((size_t)-1) == 0 && errno == ENOMEM);
    assert(!readdir((DIR *)none));
#ifdef NONE
    mbsrtowcs(wide, &text, 4, &state);
#endif
    (void)wide, (void)text, (void)state;
}
END
expect 0 "$heddle" check mistakes.c
expect 1 "$heddle" check --json -DNONE mistakes.c
json '.errors[0] | .kind == "crash" and .line == 15'
