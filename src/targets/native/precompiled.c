#include "targets/native/precompiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "targets/native/native.h"

static const char suffix[] = ".gch";

bool precompiled_add_header(const char *output, const char *header) {
    char beside[NATIVE_PATH_SIZE];
    if (!path_has_suffix(output, suffix)) {
        return true;
    }
    int length = (int)(strlen(output) - strlen(suffix));
    snprintf(beside, sizeof beside, "%.*s", length, output);
    if (access(beside, F_OK) == 0) {
        return true;
    }
    char *absolute = realpath(header, NULL);
    FILE *file = absolute ? fopen(beside, "w") : NULL;
    bool good = file && fprintf(file, "#include \"%s\"\n", absolute) > 0;
    good = file && fclose(file) == 0 && good;
    free(absolute);
    if (!good) {
        fprintf(stderr, "heddle cc: cannot write %s\n", beside);
    }
    return good;
}
