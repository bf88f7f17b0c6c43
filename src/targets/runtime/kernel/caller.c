#define _GNU_SOURCE
#include "targets/runtime/kernel/caller.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

void caller_name(uintptr_t address, char *name, size_t size) {
    Dl_info info;
    bool known = address && dladdr((void *)address, &info) && info.dli_sname;
    snprintf(name, size, "%s", known ? info.dli_sname : "a call");
}
