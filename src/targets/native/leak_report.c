#include "targets/native/leak_report.h"

#include <stdio.h>

#include "targets/native/memory_report.h"
#include "targets/runtime/memory/leaks.h"

enum { MESSAGE_SIZE = 400, MOST_WARNINGS = 8 };

static struct {
    char warnings[MOST_WARNINGS][MESSAGE_SIZE];
    uint32_t warning_count;
    uint32_t not_named; /* places beyond MOST_WARNINGS */
    uint32_t lost_count;
    char message[MESSAGE_SIZE];
    program_error error;
} leaks;

/* With SV-COMP's properties, leaks are errors or nothing. */
static enum leaks wanted(void) {
    const settings *s = &runtime.settings;
    return s->leaks != LEAKS_WARN || !s->svcomp  ? s->leaks
           : s->svcomp == SVCOMP_VALID_MEMSAFETY ? LEAKS_ERROR
                                                 : LEAKS_IGNORE;
}

static void describe(const heap_header *block, char *text) {
    char words[MESSAGE_SIZE - 40];
    memory_report_block(block, words, sizeof words);
    snprintf(text, MESSAGE_SIZE, "memory leak: %s, is lost when the program ends", words);
}

/* One execution is enough for warnings. */
static void keep_warnings(void) {
    uint32_t count = leaks.warning_count ? 0 : leaks_find();
    for (uint32_t i = 0; i < count && i < MOST_WARNINGS; i++) {
        describe(leaks_block(i), leaks.warnings[leaks.warning_count++]);
    }
    leaks.not_named += count > MOST_WARNINGS ? count - MOST_WARNINGS : 0;
}

const program_error *leak_report_error(target *t, uint32_t i) {
    (void)t;
    if (wanted() == LEAKS_WARN && !runtime.settings.echo) {
        keep_warnings();
    }
    if (wanted() != LEAKS_ERROR) {
        return NULL;
    }
    leaks.lost_count = i ? leaks.lost_count : leaks_find();
    if (i >= leaks.lost_count) {
        return NULL;
    }
    const heap_header *block = leaks_block(i);
    describe(block, leaks.message);
    leaks.error = (program_error){.kind = ERROR_LEAK,
                                  .thread = block->allocating_thread,
                                  .location = memory_report_origin(block),
                                  .message = leaks.message};
    return &leaks.error;
}

void leak_report_warn(void (*warn)(void *, const char *), void *context) {
    char words[MESSAGE_SIZE];
    for (uint32_t i = 0; i < leaks.warning_count; i++) {
        warn(context, leaks.warnings[i]);
    }
    if (leaks.not_named) {
        snprintf(words, sizeof words, "memory leaks: blocks of %u other places are lost as well",
                 leaks.not_named);
        warn(context, words);
    }
}

void leak_report_close(void) {
    leaks.warning_count = leaks.not_named = leaks.lost_count = 0;
}
