#define _GNU_SOURCE
/* Texts of error numbers and signals. Those of the known ones are libc's own and never change. For
 * the others libc has a buffer for each thread; here each gets a text that never changes either. */
#include <errno.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

enum { TEXT_SIZE = 40, MOST_TEXTS = 64 };

/* The same for all executions. */
static char texts[MOST_TEXTS][TEXT_SIZE];

static char *keep(const char *text, const void *here) {
    for (int i = 0; i < MOST_TEXTS; i++) {
        if (!texts[i][0] || strcmp(texts[i], text) == 0) {
            return strcpy(texts[i], text);
        }
    }
    heddle_unsupported("strerror and strsignal of more than 64 unknown numbers", here);
}

char *heddle_strerror(int error) {
    char made[TEXT_SIZE];
    char *text = strerror_r(error, made, sizeof made);
    return text == made ? keep(made, HERE) : text;
}

char *heddle_strsignal(int number) {
    char made[TEXT_SIZE];
    const char *known = sigdescr_np(number);
    snprintf(made, sizeof made, "Unknown signal %d", number);
    return known ? (char *)known : keep(made, HERE);
}

char *heddle_strerror_r(int error, char *buffer, size_t size) {
    char made[TEXT_SIZE];
    char *text = strerror_r(error, made, size < sizeof made ? size : sizeof made);
    if (text != made || !size) {
        return text == made ? buffer : text;
    }
    size_t length = strlen(made) + 1;
    writes(buffer, length, HERE);
    return memcpy(buffer, made, length);
}

int heddle___xpg_strerror_r(int error, char *buffer, size_t size) {
    char made[TEXT_SIZE];
    const char *text = strerror_r(error, made, sizeof made);
    size_t length = strlen(text), kept = length < size ? length : size - 1;
    if (size) {
        writes(buffer, kept + 1, HERE);
        memcpy(buffer, text, kept);
        buffer[kept] = '\0';
    }
    return length >= size ? ERANGE : text == made ? EINVAL : 0;
}
