#define _GNU_SOURCE
/* What a program reports on its standard error: <err.h>, <error.h>, perror, psignal, and
 * <syslog.h>, which is silent. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/format.h"
#include "targets/runtime/libc/output.h"

/* Prints what is not a string of the program. */
static void put(const char *text) {
    if (runtime.settings.echo) {
        fputs(text, stderr);
    }
}

/* "PROGRAM: text: error" */
static void report(const char *format, va_list list, int error, const void *here) {
    CHECK(here);
    put(program_invocation_short_name);
    put(": ");
    if (format) {
        output_print(stderr, format, list, here);
    }
    put(error && format ? ": " : "");
    put(error ? heddle_strerror(error) : "");
    put("\n");
}

static __attribute__((format(printf, 2, 3))) void print(const void *here, const char *format, ...) {
    va_list list;
    va_start(list, format);
    output_print(stderr, format, list, here);
    va_end(list);
}

void heddle_perror(const char *text) {
    bool given = text && *text;
    print(HERE, "%s%s%s\n", given ? text : "", given ? ": " : "", heddle_strerror(errno));
}

void heddle_psignal(int number, const char *text) {
    bool given = text && *text;
    print(HERE, "%s%s%s\n", given ? text : "", given ? ": " : "", heddle_strsignal(number));
}

void heddle_vwarn(const char *format, va_list list) {
    report(format, list, errno, HERE);
}

void heddle_vwarnx(const char *format, va_list list) {
    report(format, list, 0, HERE);
}

void heddle_verr(int status, const char *format, va_list list) {
    report(format, list, errno, HERE);
    heddle_exit(status);
}

void heddle_verrx(int status, const char *format, va_list list) {
    report(format, list, 0, HERE);
    heddle_exit(status);
}

/* The arguments after the format. */
#define REPORT(format, error)              \
    do {                                   \
        va_list list;                      \
        va_start(list, format);            \
        report(format, list, error, HERE); \
        va_end(list);                      \
    } while (0)

void heddle_warn(const char *format, ...) {
    REPORT(format, errno);
}

void heddle_warnx(const char *format, ...) {
    REPORT(format, 0);
}

void heddle_err(int status, const char *format, ...) {
    REPORT(format, errno);
    heddle_exit(status);
}

void heddle_errx(int status, const char *format, ...) {
    REPORT(format, 0);
    heddle_exit(status);
}

void heddle_error(int status, int error, const char *format, ...) {
    REPORT(format, error);
    if (status) {
        heddle_exit(status);
    }
}

/* The strings are read although nothing is written. */
void heddle_vsyslog(int priority, const char *format, va_list list) {
    (void)priority;
    format_announce(format, list, NULL, HERE);
}

void heddle_syslog(int priority, const char *format, ...) {
    (void)priority;
    va_list list;
    va_start(list, format);
    format_announce(format, list, NULL, HERE);
    va_end(list);
}
