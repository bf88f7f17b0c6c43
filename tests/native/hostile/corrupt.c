/* A corruption campaign: heddle checks a program that has a bug, again and again, and at a random
 * moment something is written into the memory of the process that runs the program. Whatever
 * heddle answers, it must be one JSON object, with the exit status that belongs to it, and never
 * "verified".
 *
 *     corrupt RUNS SEED MICROSECONDS COMMAND…
 *
 * The command is heddle check --json …, and takes about so long. Where it is written: a page of the
 * process that is there, of a mapping that can be written, chosen by kind first (heddle's own data,
 * its heap, libc's, the program's, the stack, all other). What: a random byte, a flipped bit, a
 * zeroed or random word, or a random stretch of up to 64 bytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 6, MOST_PAGES = 1 << 16, PAGE = 4096, MOST_SECONDS = 120 };

static const char *const kind_names[KINDS] = {"heddle",  "heap",  "libraries",
                                              "program", "stack", "other"};
static uint64_t state;

static uint64_t next(void) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t below(uint64_t bound) {
    return next() % bound;
}

static int only_child(int process) {
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", process, process);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%d", &child) != 1) {
        child = 0;
    }
    if (file) {
        fclose(file);
    }
    return child;
}

static uintptr_t pages[KINDS][MOST_PAGES];
static uint32_t page_count[KINDS];

static int kind_of(const char *path) {
    return strstr(path, "orders") || strstr(path, "program.so") ? 3
           : strstr(path, "/heddle")                            ? 0
           : strcmp(path, "[heap]") == 0                        ? 1
           : strcmp(path, "[stack]") == 0                       ? 4
           : strstr(path, ".so")                                ? 2
                                                                : 5;
}

/* The pages that are there; bss belongs to the file that comes before it. */
static bool find_pages(int process) {
    char path[64], line[512], name[256], before[256] = "";
    snprintf(path, sizeof path, "/proc/%d/maps", process);
    FILE *maps = fopen(path, "r");
    snprintf(path, sizeof path, "/proc/%d/pagemap", process);
    int pagemap = open(path, O_RDONLY);
    bool loaded = false;
    uintptr_t end_before = 0;
    memset(page_count, 0, sizeof page_count);
    while (maps && pagemap >= 0 && fgets(line, sizeof line, maps)) {
        unsigned long low, high;
        char rights[8];
        name[0] = '\0';
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255[^\n]", &low, &high, rights, name) < 3) {
            continue;
        }
        if (!name[0] && low == end_before) {
            strcpy(name, before);
        }
        loaded = loaded || kind_of(name) == 3;
        strcpy(before, name);
        end_before = high;
        if (rights[1] != 'w' || high - low > (64ul << 20)) {
            continue;
        }
        int kind = kind_of(name);
        for (unsigned long at = low; at < high && page_count[kind] < MOST_PAGES; at += PAGE) {
            uint64_t entry = 0;
            if (pread(pagemap, &entry, sizeof entry, (off_t)(at / PAGE * sizeof entry)) ==
                    sizeof entry &&
                entry >> 63) {
                pages[kind][page_count[kind]++] = at;
            }
        }
    }
    if (maps) {
        fclose(maps);
    }
    if (pagemap >= 0) {
        close(pagemap);
    }
    return loaded;
}

static void write_to(int process, uintptr_t address, const void *bytes, size_t size) {
    struct iovec from = {(void *)bytes, size}, to = {(void *)address, size};
    process_vm_writev(process, &from, 1, &to, 1, 0);
}

static int corrupt(int process) {
    int kind = (int)below(KINDS);
    if (!page_count[kind]) {
        kind = 1;
    }
    if (!page_count[kind]) {
        return -1;
    }
    uintptr_t at = pages[kind][below(page_count[kind])] + below(PAGE - 64);
    unsigned char bytes[64];
    for (int i = 0; i < 64; i++) {
        bytes[i] = (unsigned char)next();
    }
    switch (below(5)) {
        case 0: write_to(process, at, bytes, 1); break;
        case 1: {
            unsigned char byte = 0;
            struct iovec into = {&byte, 1}, from = {(void *)at, 1};
            process_vm_readv(process, &into, 1, &from, 1, 0);
            byte ^= (unsigned char)(1u << below(8));
            write_to(process, at, &byte, 1);
            break;
        }
        case 2:
            memset(bytes, 0, 8);
            write_to(process, at & ~7ul, bytes, 8);
            break;
        case 3: write_to(process, at & ~7ul, bytes, 8); break;
        default: write_to(process, at, bytes, 1 + below(64));
    }
    return kind;
}

static pid_t start(char **command, const char *output) {
    pid_t process = fork();
    if (process == 0) {
        int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600),
            null = open("/dev/null", O_RDWR);
        dup2(null, 0);
        dup2(out, 1);
        dup2(null, 2);
        execv(command[0], command);
        _exit(127);
    }
    return process;
}

static bool wait_for(pid_t process, int *status) {
    if (waitpid(process, status, WNOHANG) != 0) {
        return true; /* now, or before */
    }
    for (int i = 0; i < MOST_SECONDS * 1000; i++) {
        if (waitpid(process, status, WNOHANG) == process) {
            return true;
        }
        usleep(1000);
    }
    kill(process, SIGKILL);
    waitpid(process, status, 0);
    return false;
}

/* "bug", "error", …, or "?" if it is not one line that begins and ends as it should. */
static void read_verdict(const char *output, char *verdict) {
    static char text[1 << 20];
    FILE *file = fopen(output, "r");
    size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[count] = '\0';
    if (file) {
        fclose(file);
    }
    if (sscanf(text, "{\"verdict\":\"%31[a-z]\"", verdict) != 1 || count < 2 ||
        strcmp(text + count - 2, "}\n") != 0 || strchr(text, '\n') != text + count - 1) {
        strcpy(verdict, "?");
    }
}

static bool fits(const char *verdict, int status) {
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return (strcmp(verdict, "bug") == 0 && code == 1) ||
           (strcmp(verdict, "incomplete") == 0 && code == 3) ||
           (strcmp(verdict, "unsupported") == 0 && code == 2) ||
           (strcmp(verdict, "error") == 0 && (code == 2 || code == 70));
}

int main(int argc, char **argv) {
    if (argc < 5) {
        return 2;
    }
    unsigned runs = (unsigned)atoi(argv[1]), wrong = 0, written = 0;
    unsigned ends[5] = {0};
    static const char *const words[] = {"bug", "error", "incomplete", "unsupported", "other"};
    char output[] = "corrupt.out", verdict[32];
    for (unsigned i = 0; i < runs; i++) {
        state = (uint64_t)atoll(argv[2]) * 1000003 + i;
        pid_t process = start(argv + 4, output);
        int status = 0, child = 0, kind = -1;
        for (int tries = 0; tries < 20000 && waitpid(process, &status, WNOHANG) == 0; tries++) {
            child = only_child(process);
            if (child && find_pages(child)) {
                break;
            }
            child = 0;
            usleep(100);
        }
        if (child) {
            usleep((useconds_t)below((uint64_t)atoll(argv[3])));
            find_pages(child);
            kind = corrupt(child);
            written += kind >= 0;
        }
        bool ended = wait_for(process, &status);
        read_verdict(output, verdict);
        int word = 0;
        while (word < 4 && strcmp(words[word], verdict) != 0) {
            word++;
        }
        ends[word]++;
        if (!ended || !fits(verdict, status)) {
            wrong++;
            printf("run %u (seed %s): %s, status %x, verdict %s, written to %s\n", i, argv[2],
                   ended ? "ended" : "HANGS", (unsigned)status, verdict,
                   kind < 0 ? "nothing" : kind_names[kind]);
            fflush(stdout);
        }
    }
    printf(
        "%u runs, %u written to; %u bug, %u error, %u incomplete, %u unsupported, %u other; "
        "%u wrong\n",
        runs, written, ends[0], ends[1], ends[2], ends[3], ends[4], wrong);
    return wrong != 0;
}
