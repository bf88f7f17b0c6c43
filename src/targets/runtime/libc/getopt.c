#include "targets/runtime/libc/getopt.h"

#include <stdlib.h>
#include <string.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

/* What the letters begin with. */
typedef struct parsing {
    getopt_call *call;
    const char *letters;
    bool stops, returns_others; /* '+', '-' */
    bool silent;                /* ':' */
    const void *here;
} parsing;

static char *argument_at(const parsing *p, int i) {
    return i < p->call->argc ? p->call->argv[i] : NULL;
}

static bool is_option(const char *argument) {
    return argument[0] == '-' && argument[1];
}

static int complain(const parsing *p, const char *words, const char *name, int length) {
    if (*p->call->error && !p->silent) {
        heddle_fprintf(stderr, "%s: %s -- '%.*s'\n", p->call->argv[0], words, length, name);
    }
    return '?';
}

static int miss_argument(const parsing *p, const char *name, int length) {
    complain(p, "option requires an argument", name, length);
    return p->silent ? ':' : '?';
}

/* ---- names ---- */

/* The one that is meant: exactly, or by a beginning that only it has. NULL: none; *ambiguous. */
static const struct option *find_name(const parsing *p, const char *name, size_t length,
                                      bool *ambiguous) {
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *o = p->call->names; o->name; o++) {
        if (strncmp(o->name, name, length) != 0) {
            continue;
        }
        if (!o->name[length]) {
            *ambiguous = false;
            return o;
        }
        *ambiguous = *ambiguous || (found && (found->has_arg != o->has_arg ||
                                              found->flag != o->flag || found->val != o->val));
        found = o;
    }
    return *ambiguous ? NULL : found;
}

static int take_name(const parsing *p, const struct option *o, const char *name, size_t length) {
    getopt_call *c = p->call;
    ++*c->index;
    *c->option = o->val;
    if (name[length] == '=' && o->has_arg == no_argument) {
        return complain(p, "option doesn't allow an argument", name, (int)length);
    }
    if (name[length] == '=') {
        *c->argument = (char *)name + length + 1;
    } else if (o->has_arg == required_argument) {
        *c->argument = argument_at(p, *c->index);
        if (!*c->argument) {
            return miss_argument(p, name, (int)length);
        }
        ++*c->index;
    }
    *c->option = 0;
    if (c->name_index) {
        writes(c->name_index, sizeof *c->name_index, p->here);
        *c->name_index = (int)(o - c->names);
    }
    if (!o->flag) {
        return o->val;
    }
    writes(o->flag, sizeof *o->flag, p->here);
    *o->flag = o->val;
    return 0;
}

/* True if the argument is the name of an option, whatever comes of it. */
static bool parse_name(const parsing *p, const char *argument, int *result) {
    getopt_call *c = p->call;
    bool two = argument[1] == '-';
    bool letter = argument[1] && strchr(p->letters, argument[1]);
    bool named = two || (c->only_names && (argument[2] || !letter));
    if (!c->names || c->state->position || !named) {
        return false;
    }
    const char *name = argument + 1 + two;
    size_t length = strcspn(name, "=");
    bool ambiguous;
    const struct option *o = find_name(p, name, length, &ambiguous);
    if (o) {
        *result = take_name(p, o, name, length);
        return true;
    }
    if (!two && !ambiguous && letter) {
        return false; /* letters */
    }
    ++*c->index;
    *c->option = 0;
    *result = complain(p, ambiguous ? "option is ambiguous" : "unrecognized option", argument,
                       (int)(name - argument + (long)length));
    return true;
}

/* ---- letters ---- */

static int parse_letter(const parsing *p, char *argument) {
    getopt_call *c = p->call;
    int at = c->state->position ? c->state->position : 1;
    const char *letter = &argument[at];
    const char *found = *letter == ':' ? NULL : strchr(p->letters, *letter);
    bool last = !argument[at + 1];
    c->state->position = last ? 0 : at + 1;
    *c->index += last;
    if (!found) {
        *c->option = (unsigned char)*letter;
        return complain(p, "invalid option", letter, 1);
    }
    if (found[1] != ':') {
        return (unsigned char)*letter;
    }
    if (!last) {
        *c->argument = &argument[at + 1];
        ++*c->index;
    } else if (found[2] != ':') {
        *c->argument = argument_at(p, *c->index);
        if (!*c->argument) {
            *c->option = (unsigned char)*letter;
            return miss_argument(p, letter, 1);
        }
        ++*c->index;
    }
    c->state->position = 0;
    return (unsigned char)*letter;
}

/* ---- arguments ---- */

/* Arguments that were passed go after those up to the current one. */
static void exchange(const getopt_call *c) {
    getopt_state *s = c->state;
    DEBUG_CHECK(s->first_other <= s->end_other && *c->index <= c->argc);
    for (; s->end_other < *c->index; s->first_other++, s->end_other++) {
        char **first = &c->argv[s->first_other], *moved = c->argv[s->end_other];
        memmove(first + 1, first, (size_t)(s->end_other - s->first_other) * sizeof moved);
        *first = moved;
    }
}

/* Those that are no options and were passed come after the options so far. */
static void move_others(getopt_call *c) {
    getopt_state *s = c->state;
    if (s->first_other != s->end_other) {
        exchange(c);
    } else {
        s->first_other = *c->index;
    }
}

/* To the next argument that is an option, if those that are none may be passed. */
static void pass_others(const parsing *p) {
    getopt_call *c = p->call;
    getopt_state *s = c->state;
    s->end_other = s->end_other < *c->index ? s->end_other : *c->index;
    s->first_other = s->first_other < *c->index ? s->first_other : *c->index;
    if (!p->stops && !p->returns_others) {
        move_others(c);
        while (*c->index < c->argc && !is_option(c->argv[*c->index])) {
            ++*c->index;
        }
        s->end_other = *c->index;
    }
    if (*c->index < c->argc && strcmp(c->argv[*c->index], "--") == 0) {
        ++*c->index;
        move_others(c);
        s->end_other = *c->index = c->argc;
    }
}

static int parse(const parsing *p) {
    getopt_call *c = p->call;
    int result;
    if (!c->state->position) {
        pass_others(p);
        if (*c->index >= c->argc) {
            *c->index =
                c->state->first_other != c->state->end_other ? c->state->first_other : *c->index;
            return -1;
        }
    }
    char *argument = c->argv[*c->index];
    if (!c->state->position && !is_option(argument)) {
        *c->argument = p->stops ? NULL : argument;
        *c->index += !p->stops;
        return p->stops ? -1 : 1;
    }
    return parse_name(p, argument, &result) ? result : parse_letter(p, argument);
}

static void announce(const getopt_call *c, const void *here) {
    modifies(c->index, sizeof *c->index, here);
    modifies(c->option, sizeof *c->option, here);
    modifies(c->state, sizeof *c->state, here);
    writes(c->argument, sizeof *c->argument, here);
    reads(c->error, sizeof *c->error, here);
    reads_string(c->options, here);
    modifies(c->argv, ((size_t)c->argc + 1) * sizeof *c->argv, here);
    for (int i = 0; i < c->argc; i++) {
        reads_string(c->argv[i], here);
    }
}

/* What was announced, step by step, is written in the last of these steps. */
static void log_writes(const getopt_call *c) {
    undo_write((uintptr_t)c->index, sizeof *c->index);
    undo_write((uintptr_t)c->option, sizeof *c->option);
    undo_write((uintptr_t)c->state, sizeof *c->state);
    undo_write((uintptr_t)c->argument, sizeof *c->argument);
    undo_write((uintptr_t)c->argv, ((size_t)c->argc + 1) * sizeof *c->argv);
}

int heddle_getopt_in(getopt_call *c, const void *here) {
    announce(c, here);
    log_writes(c);
    const char *letters = c->options;
    parsing p = {.call = c, .here = here};
    p.stops = *letters == '+' || c->in_order || getenv("POSIXLY_CORRECT");
    p.returns_others = *letters == '-';
    letters += *letters == '+' || *letters == '-';
    p.silent = *letters == ':';
    p.letters = letters + p.silent;
    if (*c->index == 0 || !c->state->begun) {
        *c->index += *c->index == 0;
        *c->state = (getopt_state){true, 0, *c->index, *c->index};
    }
    *c->argument = NULL;
    return parse(&p);
}
