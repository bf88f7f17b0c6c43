#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/exit_status.h"

void check_failed(const char *file, int line, const char *what) {
    fprintf(stderr, "heddle: internal error at %s:%d: %s\n", file, line, what);
    fprintf(stderr, "heddle: this is a bug in heddle, not in the program under test\n");
    fflush(NULL);
    _Exit(EXIT_INTERNAL);
}
