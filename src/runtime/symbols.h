/* The functions that take the place of libc's in the user's program: NAME becomes heddle_NAME in
 * its objects. A new one is a line here, its prototype below and its definition. */
#ifndef HEDDLE_RUNTIME_SYMBOLS_H
#define HEDDLE_RUNTIME_SYMBOLS_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

#include "runtime/floating.h"
#include "runtime/symbols_files.h"
#include "runtime/symbols_process.h"
#include "runtime/symbols_world.h"

// clang-format off
#define RUNTIME_SYMBOLS(X) \
    X(pthread_create) X(pthread_join) X(pthread_detach) X(pthread_exit) X(pthread_self) \
    X(pthread_equal) X(pthread_yield) X(pthread_setname_np) X(pthread_mutex_init) \
    X(pthread_mutex_destroy) X(pthread_mutex_lock) X(pthread_mutex_trylock) \
    X(pthread_mutex_timedlock) X(pthread_mutex_clocklock) X(pthread_mutex_unlock) \
    X(pthread_cond_init) X(pthread_cond_destroy) X(pthread_cond_wait) \
    X(pthread_cond_timedwait) X(pthread_cond_clockwait) X(pthread_cond_signal) \
    X(pthread_cond_broadcast) X(malloc) X(calloc) X(realloc) X(reallocarray) X(free) \
    X(aligned_alloc) X(memalign) X(posix_memalign) X(malloc_usable_size) X(memcpy) \
    X(mempcpy) X(memmove) X(memset) X(bzero) X(memcmp) X(memchr) X(strlen) X(strnlen) \
    X(strcpy) X(stpcpy) X(strncpy) X(strcat) X(strncat) X(strcmp) X(strncmp) \
    X(strcasecmp) X(strncasecmp) X(strchr) X(strrchr) X(strstr) X(strdup) X(strndup) \
    X(atoi) X(atol) X(atoll) X(atof) X(strtol) X(strtoul) X(strtoll) X(strtoull) \
    X(strtod) X(strtof) X(qsort) X(qsort_r) X(printf) X(fprintf) X(sprintf) X(snprintf) X(vprintf) \
    X(vfprintf) X(vsprintf) X(vsnprintf) X(asprintf) X(vasprintf) X(puts) X(fputs) X(putchar) X(putc) X(fputc) \
    X(fwrite) X(fflush) X(perror) X(write) X(exit) X(_exit) X(_Exit) X(quick_exit) \
    X(abort) X(__assert_fail) X(sleep) X(usleep) X(nanosleep) X(clock_nanosleep) \
    X(sched_yield) X(time) X(clock) X(clock_gettime) X(timespec_get) X(gettimeofday) \
    X(realpath) X(getcwd) X(raise) X(rand) X(srand) X(random) X(srandom) X(drand48) X(lrand48) X(srand48) \
    X(__tls_get_addr) X(__atomic_load) X(__atomic_store) X(__atomic_exchange) \
    X(__atomic_compare_exchange) X(__atomic_is_lock_free) \
    X(bcopy) X(bcmp) X(explicit_bzero) X(memrchr) X(rawmemchr) X(memmem) X(memccpy) \
    X(stpncpy) X(index) X(rindex) X(strchrnul) X(strcasestr) X(strcoll) X(strspn) X(strcspn) \
    X(strpbrk) X(strtok_r) X(__strtok_r) X(strsep) \
    X(modf) X(modff) X(modfl) X(frexp) X(frexpf) X(frexpl) X(lgamma_r) X(remquo) X(remquof) \
    X(remquol) X(sincos) X(sincosf) X(sincosl) X(strtold) X(strtoimax) X(strtoumax) X(rand_r) \
    X(gmtime_r) X(localtime_r) X(mktime) \
    X(wmemcpy) X(wmemmove) X(wmemset) X(wmemcmp) X(wcslen) X(wcscpy) X(wcsncpy) X(wcscat) \
    X(wcscmp) X(wcsncmp) X(wcschr) X(wcsrchr) X(wcsstr) \
    X(sscanf) X(vsscanf) X(__isoc99_sscanf) X(__isoc99_vsscanf) \
    X(fclose) X(setvbuf) X(setbuf) X(__stack_chk_fail) \
    RUNTIME_WORLD_SYMBOLS(X) RUNTIME_FLOATING_SYMBOLS(X) RUNTIME_PROCESS_SYMBOLS(X) \
    RUNTIME_FILE_SYMBOLS(X)
// clang-format on

/* Whether heddle stands in for a function of libc. */
bool symbols_supported(const char *name);

/* Whether a function must not be called: threads, processes and the like that are not under
 * heddle's control. */
bool symbols_forbidden(const char *name);

/* Whether calling libc itself is right: it touches nothing of the program's shared memory, or
 * only objects that nobody shares. */
bool symbols_harmless(const char *name);

_Noreturn void heddle_unsupported(const char *name, const void *return_address);

int heddle_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int heddle_pthread_join(pthread_t, void **);
int heddle_pthread_detach(pthread_t);
_Noreturn void heddle_pthread_exit(void *);
pthread_t heddle_pthread_self(void);
int heddle_pthread_equal(pthread_t, pthread_t);
int heddle_pthread_yield(void);
int heddle_pthread_setname_np(pthread_t, const char *);

int heddle_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int heddle_pthread_mutex_destroy(pthread_mutex_t *);
int heddle_pthread_mutex_lock(pthread_mutex_t *);
int heddle_pthread_mutex_trylock(pthread_mutex_t *);
int heddle_pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int heddle_pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);
int heddle_pthread_mutex_unlock(pthread_mutex_t *);

int heddle_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int heddle_pthread_cond_destroy(pthread_cond_t *);
int heddle_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int heddle_pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int heddle_pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t,
                                  const struct timespec *);
int heddle_pthread_cond_signal(pthread_cond_t *);
int heddle_pthread_cond_broadcast(pthread_cond_t *);

void *heddle_malloc(size_t);
void *heddle_calloc(size_t, size_t);
void *heddle_realloc(void *, size_t);
void *heddle_reallocarray(void *, size_t, size_t);
void heddle_free(void *);
void *heddle_aligned_alloc(size_t, size_t);
void *heddle_memalign(size_t, size_t);
int heddle_posix_memalign(void **, size_t, size_t);
size_t heddle_malloc_usable_size(void *);

void *heddle_memcpy(void *, const void *, size_t);
void *heddle_mempcpy(void *, const void *, size_t);
void *heddle_memmove(void *, const void *, size_t);
void *heddle_memset(void *, int, size_t);
void heddle_bzero(void *, size_t);
int heddle_memcmp(const void *, const void *, size_t);
void *heddle_memchr(const void *, int, size_t);
size_t heddle_strlen(const char *);
size_t heddle_strnlen(const char *, size_t);
char *heddle_strcpy(char *, const char *);
char *heddle_stpcpy(char *, const char *);
char *heddle_strncpy(char *, const char *, size_t);
char *heddle_strcat(char *, const char *);
char *heddle_strncat(char *, const char *, size_t);
int heddle_strcmp(const char *, const char *);
int heddle_strncmp(const char *, const char *, size_t);
int heddle_strcasecmp(const char *, const char *);
int heddle_strncasecmp(const char *, const char *, size_t);
char *heddle_strchr(const char *, int);
char *heddle_strrchr(const char *, int);
char *heddle_strstr(const char *, const char *);
char *heddle_strdup(const char *);
char *heddle_strndup(const char *, size_t);
int heddle_atoi(const char *);
long heddle_atol(const char *);
long long heddle_atoll(const char *);
double heddle_atof(const char *);
long heddle_strtol(const char *, char **, int);
unsigned long heddle_strtoul(const char *, char **, int);
long long heddle_strtoll(const char *, char **, int);
unsigned long long heddle_strtoull(const char *, char **, int);
double heddle_strtod(const char *, char **);
float heddle_strtof(const char *, char **);
void heddle_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void heddle_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);

int heddle_printf(const char *, ...) __attribute__((format(printf, 1, 2)));
int heddle_fprintf(FILE *, const char *, ...) __attribute__((format(printf, 2, 3)));
int heddle_sprintf(char *, const char *, ...) __attribute__((format(printf, 2, 3)));
int heddle_snprintf(char *, size_t, const char *, ...) __attribute__((format(printf, 3, 4)));
int heddle_vprintf(const char *, va_list);
int heddle_vfprintf(FILE *, const char *, va_list);
int heddle_vsprintf(char *, const char *, va_list);
int heddle_vsnprintf(char *, size_t, const char *, va_list);
int heddle_asprintf(char **, const char *, ...) __attribute__((format(printf, 2, 3)));
int heddle_vasprintf(char **, const char *, va_list);
int heddle_puts(const char *);
int heddle_fputs(const char *, FILE *);
int heddle_putchar(int);
int heddle_putc(int, FILE *);
int heddle_fputc(int, FILE *);
size_t heddle_fwrite(const void *, size_t, size_t, FILE *);
int heddle_fflush(FILE *);
void heddle_perror(const char *);
ssize_t heddle_write(int, const void *, size_t);

_Noreturn void heddle_exit(int);
_Noreturn void heddle__exit(int);
_Noreturn void heddle__Exit(int);
_Noreturn void heddle_quick_exit(int);
_Noreturn void heddle_abort(void);
int heddle_raise(int);
_Noreturn void heddle___stack_chk_fail(void);
_Noreturn void heddle___assert_fail(const char *, const char *, unsigned, const char *);

unsigned heddle_sleep(unsigned);
int heddle_usleep(unsigned);
int heddle_nanosleep(const struct timespec *, struct timespec *);
int heddle_clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
int heddle_sched_yield(void);
time_t heddle_time(time_t *);
clock_t heddle_clock(void);
int heddle_clock_gettime(clockid_t, struct timespec *);
int heddle_timespec_get(struct timespec *, int);
int heddle_gettimeofday(struct timeval *, void *);
char *heddle_realpath(const char *, char *);
char *heddle_getcwd(char *, size_t);
int heddle_rand(void);
void heddle_srand(unsigned);
long heddle_random(void);
void heddle_srandom(unsigned);
double heddle_drand48(void);
long heddle_lrand48(void);
void heddle_srand48(long);

void heddle_bcopy(const void *, void *, size_t);
int heddle_bcmp(const void *, const void *, size_t);
void heddle_explicit_bzero(void *, size_t);
void *heddle_memrchr(const void *, int, size_t);
void *heddle_rawmemchr(const void *, int);
void *heddle_memmem(const void *, size_t, const void *, size_t);
void *heddle_memccpy(void *, const void *, int, size_t);
char *heddle_stpncpy(char *, const char *, size_t);
char *heddle_index(const char *, int);
char *heddle_rindex(const char *, int);
char *heddle_strchrnul(const char *, int);
char *heddle_strcasestr(const char *, const char *);
int heddle_strcoll(const char *, const char *);
size_t heddle_strspn(const char *, const char *);
size_t heddle_strcspn(const char *, const char *);
char *heddle_strpbrk(const char *, const char *);
char *heddle_strtok_r(char *, const char *, char **);
char *heddle___strtok_r(char *, const char *, char **);
char *heddle_strsep(char **, const char *);

/* strtok, whose hidden pointer is a variable of the program. */
char *heddle_strtok_in(char *, const char *, char **rest, const void *return_address);

double heddle_modf(double, double *);
float heddle_modff(float, float *);
long double heddle_modfl(long double, long double *);
double heddle_frexp(double, int *);
float heddle_frexpf(float, int *);
long double heddle_frexpl(long double, int *);
double heddle_lgamma_r(double, int *);
double heddle_remquo(double, double, int *);
float heddle_remquof(float, float, int *);
long double heddle_remquol(long double, long double, int *);
void heddle_sincos(double, double *, double *);
void heddle_sincosf(float, float *, float *);
void heddle_sincosl(long double, long double *, long double *);
long double heddle_strtold(const char *, char **);
intmax_t heddle_strtoimax(const char *, char **, int);
uintmax_t heddle_strtoumax(const char *, char **, int);
int heddle_rand_r(unsigned *);
struct tm *heddle_gmtime_r(const time_t *, struct tm *);
struct tm *heddle_localtime_r(const time_t *, struct tm *);
time_t heddle_mktime(struct tm *);

wchar_t *heddle_wmemcpy(wchar_t *, const wchar_t *, size_t);
wchar_t *heddle_wmemmove(wchar_t *, const wchar_t *, size_t);
wchar_t *heddle_wmemset(wchar_t *, wchar_t, size_t);
int heddle_wmemcmp(const wchar_t *, const wchar_t *, size_t);
size_t heddle_wcslen(const wchar_t *);
wchar_t *heddle_wcscpy(wchar_t *, const wchar_t *);
wchar_t *heddle_wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *heddle_wcscat(wchar_t *, const wchar_t *);
int heddle_wcscmp(const wchar_t *, const wchar_t *);
int heddle_wcsncmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *heddle_wcschr(const wchar_t *, wchar_t);
wchar_t *heddle_wcsrchr(const wchar_t *, wchar_t);
wchar_t *heddle_wcsstr(const wchar_t *, const wchar_t *);

int heddle_sscanf(const char *, const char *, ...) __attribute__((format(scanf, 2, 3)));
int heddle_vsscanf(const char *, const char *, va_list);
int heddle___isoc99_sscanf(const char *, const char *, ...) __attribute__((format(scanf, 2, 3)));
int heddle___isoc99_vsscanf(const char *, const char *, va_list);

int heddle_fclose(FILE *);
int heddle_setvbuf(FILE *, char *, int, size_t);
void heddle_setbuf(FILE *, char *);

#endif
