#include "cli/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/exit_status.h"

int usage_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("heddle: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_USAGE;
}
