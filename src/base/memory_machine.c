#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* The first number in a file; UINT64_MAX if there is none ("max"). */
static uint64_t number_in(const char *path) {
    unsigned long long number = UINT64_MAX;
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%llu", &number) != 1) {
            number = UINT64_MAX;
        }
        fclose(file);
    }
    return number;
}

/* The smallest limit of the group and its ancestors: "/sys/fs/cgroup" and "/a/b". */
static uint64_t least_of_groups(const char *root, const char *group, const char *name) {
    char directory[2048], path[4096];
    uint64_t least = UINT64_MAX;
    snprintf(directory, sizeof directory, "%s", group);
    for (;;) {
        snprintf(path, sizeof path, "%s%s/%s", root, directory, name);
        uint64_t number = number_in(path);
        least = number < least ? number : least;
        char *slash = strrchr(directory, '/');
        if (!slash) {
            return least;
        }
        *slash = '\0';
    }
}

/* A line of /proc/self/cgroup: "0::/group", or "5:memory:/group" in the old hierarchy. */
static uint64_t limit_of_line(char *line) {
    line[strcspn(line, "\n")] = '\0';
    char *kinds = strchr(line, ':'), *group = kinds ? strchr(kinds + 1, ':') : NULL;
    if (!group) {
        return UINT64_MAX;
    }
    *group++ = '\0';
    if (!kinds[1]) {
        return least_of_groups("/sys/fs/cgroup", group, "memory.max");
    }
    return strstr(kinds, "memory")
               ? least_of_groups("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes")
               : UINT64_MAX;
}

static uint64_t limit_of_groups(void) {
    char line[2048];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        uint64_t number = limit_of_line(line);
        least = number < least ? number : least;
    }
    if (file) {
        fclose(file);
    }
    return least;
}

static uint64_t physical_memory(void) {
    unsigned long long kibibytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file) {
        if (fscanf(file, "MemTotal: %llu", &kibibytes) != 1) {
            kibibytes = 0;
        }
        fclose(file);
    }
    return kibibytes ? (uint64_t)kibibytes * 1024 : UINT64_MAX;
}

uint64_t memory_of_process(void) {
    unsigned long long resident = 0, shared = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*u %llu %llu", &resident, &shared) != 2 || resident < shared) {
            resident = shared = 0;
        }
        fclose(file);
    }
    return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t memory_of_machine(void) {
    uint64_t physical = physical_memory(), groups = limit_of_groups();
    return physical < groups ? physical : groups;
}
