#include "base/maps.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

void maps_visit(bool (*visit)(void *, uintptr_t, uintptr_t, bool), void *context) {
    char line[PATH_MAX + 256]; /* ends with the path of a mapped file */
    uintptr_t low, high;
    bool more = true;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && more && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &low, &high) == 2) {
            more = visit(context, low, high, strstr(line, "[stack]") != NULL);
        }
    }
    if (maps) {
        fclose(maps);
    }
}
