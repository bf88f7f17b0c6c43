/* What functions of libc give that keep something, allocate, or call the program back. "link" is a
 * symbolic link to "target", which is not there. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <langinfo.h>
#include <libintl.h>
#include <limits.h>
#include <ctype.h>
#include <locale.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <malloc.h>
#include <execinfo.h>

char *__xpg_basename(char *);
char *dirname(char *);



static void paths(void) {
    char path[] = "/usr/lib/x", other[] = "/usr/lib/x", link[64];
    assert(strcmp(basename("/usr/lib/x"), "x") == 0);
    assert(strcmp(__xpg_basename(path), "x") == 0 && strcmp(dirname(other), "/usr/lib") == 0);
    assert(strcmp(dirname(NULL), ".") == 0);
    assert(readlink("link", link, sizeof link) == 6 && memcmp(link, "target", 6) == 0);
    assert(readlink("none", link, sizeof link) == -1 && errno == ENOENT);
    struct stat status;
    assert(lstat("link", &status) == 0 && S_ISLNK(status.st_mode));
    assert(fstatat(AT_FDCWD, "link", &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode));
    assert(faccessat(AT_FDCWD, "link", R_OK, 0) == -1);
}

static void addresses(void) {
    struct in_addr a;
    struct in6_addr b;
    char text[INET6_ADDRSTRLEN];
    assert(inet_pton(AF_INET, "10.1.2.3", &a) == 1 && ntohl(a.s_addr) == 0x0a010203);
    assert(inet_pton(AF_INET, "10.1.2", &a) == 0 && inet_pton(AF_INET6, "::1", &b) == 1);
    assert(strcmp(inet_ntop(AF_INET6, &b, text, sizeof text), "::1") == 0);
    assert(!inet_ntop(AF_INET, &a, text, 3) && errno == ENOSPC);
    assert(strcmp(inet_ntoa(a), "10.1.2.3") == 0);
}

static void expressions(void) {
    regex_t e;
    regmatch_t m[2];
    char text[64];
    assert(regcomp(&e, "a(b*)c", REG_EXTENDED) == 0 && e.re_nsub == 1);
    assert(regexec(&e, "xabbc", 2, m, 0) == 0 && m[0].rm_so == 1 && m[1].rm_eo == 4);
    assert(regexec(&e, "xbbc", 0, NULL, 0) == REG_NOMATCH);
    regfree(&e);
    int error = regcomp(&e, "(", REG_EXTENDED);
    assert(error == REG_EPAREN && regerror(error, &e, text, sizeof text) > 5);
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int sum;
static void add(const void *node, VISIT when, int depth) {
    (void)depth;
    sum += when == postorder || when == leaf ? **(int *const *)node : 0;
}
static void forget(void *key) { sum -= *(int *)key; }

static void searches(void) {
    static int keys[] = {5, 2, 8, 1, 9, 3};
    int array[8] = {1, 2}, key = 7;
    size_t count = 2;
    void *root = NULL;
    assert(!lfind(&key, array, &count, sizeof key, order));
    assert(lsearch(&key, array, &count, sizeof key, order) == array + 2 && count == 3);
    for (int i = 0; i < 6; i++) {
        assert(*(int **)tsearch(&keys[i], &root, order) == &keys[i]);
    }
    assert(tdelete(&keys[0], &root, order) && !tfind(&keys[0], &root, order));
    assert(tfind(&keys[3], &root, order) && !tdelete(&keys[0], &root, order));
    sum = 0;
    twalk(root, add);
    assert(sum == 23);
    tdestroy(root, forget);
    assert(sum == 0);
    assert(hcreate(4) && hsearch((ENTRY){"one", &keys[3]}, ENTER));
    assert(*(int *)hsearch((ENTRY){"one", NULL}, FIND)->data == 1);
    assert(!hsearch((ENTRY){"two", NULL}, FIND));
    hdestroy();
    struct { void *next, *previous; int x; } a = {0}, b = {0};
    insque(&a, NULL), insque(&b, &a);
    assert(a.next == &b && b.previous == &a);
    remque(&b);
    assert(!a.next);
}

static void wide(void) {
    wchar_t text[16], *rest, line[] = L"a b", *copy = wcsdup(L"abc");
    char bytes[16];
    mbstate_t state = {0};
    const char *from = "xyz";
    const wchar_t *wfrom = L"uvw";
    assert(mbstowcs(text, "abc", 16) == 3 && wcscmp(text, copy) == 0);
    assert(wcstombs(bytes, copy, 16) == 3 && strcmp(bytes, "abc") == 0);
    assert(wcstombs(bytes, L"\x20ac", 16) == (size_t)-1);
    assert(mbtowc(text, "q", 1) == 1 && text[0] == L'q' && mblen("q", 1) == 1);
    assert(mbrtowc(text, "q", 1, &state) == 1 && mbsinit(&state) && wcrtomb(bytes, L'k', &state) == 1);
    assert(mbsrtowcs(text, &from, 16, &state) == 3 && !from && text[2] == L'z');
    assert(wcsrtombs(bytes, &wfrom, 16, &state) == 3 && !wfrom && bytes[2] == 'w');
    assert(wcscmp(wcstok(line, L" ", &rest), L"a") == 0 && wcscmp(wcstok(NULL, L" ", &rest), L"b") == 0);
    assert(!wcstok(NULL, L" ", &rest) && wcsnlen(L"abc", 2) == 2 && wcsspn(L"aab", L"a") == 2);
    assert(wcscasecmp(L"aB", L"Ab") == 0 && wcspbrk(copy, L"c") == copy + 2);
    assert(wmemchr(copy, L'b', 3) == copy + 1 && wcstof(L"1.5", NULL) == 1.5f);
    assert(wcpcpy(text, copy) == text + 3 && wcswidth(copy, 3) == 3);
    free(copy);
}

static void locales(void) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    assert(c && uselocale((locale_t)0) == LC_GLOBAL_LOCALE && uselocale(c) == LC_GLOBAL_LOCALE);
    assert(uselocale(LC_GLOBAL_LOCALE) == c && !newlocale(LC_ALL_MASK, "tlh_QO", (locale_t)0));
    assert(strcmp(localeconv()->decimal_point, ".") == 0 && strcmp(nl_langinfo(RADIXCHAR), ".") == 0);
    assert(strtod_l("2.5", NULL, c) == 2.5 && strcmp(gettext("text"), "text") == 0);
    assert(strcmp(textdomain("mine"), "mine") == 0 && strcmp(textdomain(NULL), "mine") == 0);
    assert(MB_CUR_MAX == 1 && isalpha_l('x', c));
    freelocale(c);
}

static void rest(void) {
    struct tm date = {0};
    char text[64], options[] = "ro,size=5,odd", *at = options, *value;
    char *const names[] = {"ro", "size", NULL};
    struct random_data data = {0};
    char state[64];
    int32_t number, again;
    tzset();
    assert(timezone == timezone && tzname[0]);
    assert(*strptime("2001-02-03", "%Y-%m-%d", &date) == '\0' && date.tm_mday == 3);
    assert(gethostname(text, sizeof text) == 0 && confstr(_CS_PATH, text, sizeof text) > 0);
    assert(getsubopt(&at, names, &value) == 0 && !value);
    assert(getsubopt(&at, names, &value) == 1 && strcmp(value, "5") == 0);
    assert(getsubopt(&at, names, &value) == -1 && strcmp(value, "odd") == 0 && !*at);
    assert(initstate_r(1, state, sizeof state, &data) == 0 && random_r(&data, &number) == 0);
    assert(srandom_r(1, &data) == 0 && random_r(&data, &again) == 0 && number == again);
    assert(a64l("/1") == 193 && strcmp(l64a(193), "/1") == 0);
    assert(strtol("17", NULL, 10) == 17 && sscanf("5", "%d", &again) == 1 && again == 5);
    assert(strcmp(gcvt(1.5, 3, text), "1.5") == 0 && strfromd(text, 8, "%g", 2.5) == 3);
    void *page = valloc(10);
    assert((unsigned long)page % 4096 == 0);
    free(page);
    mallopt(M_ARENA_MAX, 1);
    void *frames[4];
    
    errno = ENOENT;
    warn("a file %s", "x"), warnx("no"), error(0, ENOENT, "text"), perror("here");
    syslog(LOG_INFO, "%s", "silent");
    fwrite_unlocked("x", 1, 1, stdout);
}

static void *run(void *nothing) {
    paths(), addresses(), expressions(), wide(), locales(), rest();
    return nothing;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    searches();
    pthread_join(thread, NULL);
    run(NULL);
#ifdef ERR
    err(3, "over");
#endif
    return 0;
}
