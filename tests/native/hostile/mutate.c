/* A mutation campaign: a file is changed at random and given to heddle, again and again. Whatever
 * heddle answers, it must not crash, not hang, and end with one of its exit statuses; 70, an
 * internal error, is counted apart.
 *
 *     mutate RUNS SEED FILE NAME COMMAND…
 *
 * FILE is what is changed; the changed file is called NAME, which the command names. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 22, MOST_SECONDS = 60 };

static uint64_t state;
static unsigned char original[MOST_BYTES], changed[2 * MOST_BYTES];

static uint64_t below(uint64_t bound) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % (bound ? bound : 1);
}

/* Half of the changes of long files go to their first bytes: the headers. */
static size_t place(size_t size) {
    return size > 4096 && below(2) ? below(512) : below(size);
}

static size_t mutate(size_t size) {
    static const char *const words[] = {"0", "-1", "4294967295", "18446744073709551616", "\n", "end",
                                        "step ", ":", "(", ")", ";", "{", "}", "thread ", "9999999"};
    memcpy(changed, original, size);
    for (uint64_t n = 1 + below(4); n && size; n--) {
        size_t at = place(size), length = 1 + below(16);
        length = at + length > size ? size - at : length;
        const char *word = words[below(sizeof words / sizeof *words)];
        switch (below(7)) {
            case 0: changed[at] = (unsigned char)below(256); break;
            case 1: changed[at] ^= (unsigned char)(1u << below(8)); break;
            case 2: memset(changed + at, below(2) ? 0xff : 0, length); break;
            case 3:
                memmove(changed + at, changed + at + length, size - at - length);
                size -= length;
                break;
            case 4:
                memmove(changed + at + length, changed + at, size - at);
                size += length;
                break;
            case 5:
                memmove(changed + at + strlen(word), changed + at, size - at);
                memcpy(changed + at, word, strlen(word));
                size += strlen(word);
                break;
            default: size = below(8) ? size : at;
        }
    }
    return size;
}

static int run(char **command, bool *ended) {
    int status = 0;
    pid_t process = fork();
    if (process == 0) {
        int null = open("/dev/null", O_RDWR);
        int err = open("mutate.err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(null, 0);
        dup2(null, 1);
        dup2(err, 2);
        execv(command[0], command);
        _exit(127);
    }
    *ended = false;
    for (int i = 0; i < MOST_SECONDS * 2000 && !*ended; i++) {
        *ended = waitpid(process, &status, WNOHANG) == process;
        if (!*ended) {
            usleep(500);
        }
    }
    if (!*ended) {
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
    }
    return status;
}

int main(int argc, char **argv) {
    if (argc < 6) {
        return 2;
    }
    FILE *file = fopen(argv[3], "r");
    size_t size = file ? fread(original, 1, MOST_BYTES / 2, file) : 0;
    unsigned runs = (unsigned)atoi(argv[1]), wrong = 0, counts[256] = {0};
    for (unsigned i = 0; i < runs; i++) {
        char kept[64];
        state = (uint64_t)atoll(argv[2]) * 1000003 + i;
        size_t length = mutate(size);
        FILE *out = fopen(argv[4], "w");
        fwrite(changed, 1, length, out);
        fclose(out);
        bool ended;
        int status = run(argv + 5, &ended), code = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
        counts[code]++;
        if (!ended || (code > 3 && code != 70)) {
            wrong++;
        }
        if (!ended || code > 3) {
            snprintf(kept, sizeof kept, "mutant-%s-%u", argv[2], i);
            rename(argv[4], kept);
            printf("%s: %s, status %x\n", kept, ended ? "ended" : "HANGS", (unsigned)status);
            fflush(stdout);
        }
    }
    printf("%u runs: %u verified, %u bug, %u refused, %u incomplete, %u internal; %u wrong\n", runs,
           counts[0], counts[1], counts[2], counts[3], counts[70], wrong);
    return wrong != 0;
}
