#include "targets/abstract/oneline.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "targets/abstract/oneline_parser.h"

static bool at_thread_end(const parser *p) {
    return *p->next == 0 || *p->next == '/';
}

static bool parse_thread(parser *p) {
    char name[16];
    snprintf(name, sizeof name, "p%u", p->program->threads.count);
    if (p->program->threads.count == THREAD_LIMIT) {
        return oneline_fail_at(p, p->line, p->column, "expected at most %u threads", THREAD_LIMIT);
    }
    oneline_skip_space(p);
    program_add_thread(p->program, name, !oneline_accept(p, '*'));
    oneline_skip_space(p);
    while (!at_thread_end(p)) {
        if (!oneline_parse_operation(p)) {
            return false;
        }
        if (!oneline_is_space(*p->next) && !at_thread_end(p)) {
            return oneline_fail_expected(p, "a space, '/' or the end after an operation");
        }
        oneline_skip_space(p);
    }
    oneline_end_thread(p);
    return true;
}

/* `[sem 1]` or `[sem 1 0]`: initial values of semaphore 0, 1, …; the last one is also that of those
 * that follow. `[bar 2]` says in the same way for how many threads barriers wait. */
static bool parse_initials(parser *p, int64_t least, initial_list *initials) {
    initials->count = 0;
    do {
        oneline_skip_space(p);
        uint32_t line = p->line, column = p->column;
        int64_t value = 0;
        if (!oneline_parse_digits(p, false, &value)) {
            return false;
        }
        if (value < least || value > INITIAL_MOST || initials->count == INITIALS_MOST) {
            return oneline_fail_at(p, line, column, "expected at most %d numbers from %d to %d",
                                   INITIALS_MOST, (int)least, INITIAL_MOST);
        }
        initials->values[initials->count++] = value;
        oneline_skip_space(p);
    } while (text_is_digit(*p->next));
    return oneline_accept(p, ']') || oneline_fail_expected(p, "a number or ']'");
}

static bool parse_header(parser *p) {
    for (;;) {
        oneline_skip_space(p);
        bool semaphores = oneline_accept_word(p, "[sem");
        if (!semaphores && !oneline_accept_word(p, "[bar")) {
            return true;
        }
        if (!parse_initials(p, semaphores ? 0 : 1, semaphores ? &p->semaphores : &p->barriers)) {
            return false;
        }
    }
}

static bool parse_threads(parser *p) {
    if (!parse_header(p)) {
        return false;
    }
    if (*p->next == 0) {
        return oneline_fail_expected(p, "an operation");
    }
    do {
        if (!parse_thread(p)) {
            return false;
        }
    } while (oneline_accept(p, '/'));
    return true;
}

bool oneline_parse(program *result, const char *text, parse_error *error) {
    parser p = {.program = result,
                .next = text,
                .line = 1,
                .column = 1,
                .semaphores = {.count = 1},
                .barriers = {.count = 1, .values = {2}},
                .error = error};
    *error = (parse_error){0};
    program_init(result, "program");
    if (parse_threads(&p) && oneline_resolve(&p)) {
        return true;
    }
    program_free(result);
    return false;
}
