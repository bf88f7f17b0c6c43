#include "targets/native/compound.h"

#include <stdlib.h>
#include <string.h>

#include "targets/native/command.h"
#include "targets/native/lines.h"
#include "targets/runtime/kernel/instruction.h"

typedef struct scan {
    address_list *addresses, *external;
    bool candidate;     /* a write callback was called and nothing was stored since */
    bool wants_address; /* the next instruction is where it returns to */
    uint64_t address;
    /* Of the function: it stores outside its frame, and does not announce anything. */
    bool stores, announces, known;
    bool unseen; /* some function is like that */
} scan;

/* Not by the name that follows: a variable may be called "calls". */
static bool is_call(const char *text) {
    size_t prefix = strncmp(text, "bnd ", 4) == 0 ? 4 : strncmp(text, "notrack ", 8) == 0 ? 8 : 0;
    return strncmp(text + prefix, "call", 4) == 0;
}

static bool calls(const char *text, const char *name) {
    const char *target = strchr(text, '<');
    return target && strncmp(target + 1, name, strlen(name)) == 0;
}

static bool calls_any(const char *text, const char *const *names) {
    for (; *names; names++) {
        if (calls(text, *names)) {
            return true;
        }
    }
    return false;
}

static const char *const writes[] = {"__tsan_write", "__tsan_unaligned_write",
                                     "__tsan_volatile_write", "__tsan_unaligned_volatile_write",
                                     NULL};
static const char *const reads[] = {"__tsan_read", "__tsan_unaligned_read", "__tsan_volatile_read",
                                    "__tsan_unaligned_volatile_read", NULL};

/* AT&T syntax: the last operand is the destination. */
static bool may_store(const char *text) {
    size_t word = strcspn(text, " \t");
    if (strncmp(text, "lea", 3) == 0 || strncmp(text, "cmp", 3) == 0 ||
        strncmp(text, "test", 4) == 0 || strncmp(text, "nop", 3) == 0 ||
        strncmp(text, "data16 lea", 10) == 0) {
        return false;
    }
    const char *last = text + word;
    int depth = 0;
    for (const char *at = text + word; *at && *at != '#'; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (*at == ',' && depth == 0) {
            last = at + 1;
        }
    }
    size_t length = strcspn(last, "#");
    return memchr(last, '(', length) != NULL;
}

/* To what does not seem to be the function's own frame. */
static bool may_store_outside(const char *text) {
    return may_store(text) && !strstr(text, "(%rsp") && !strstr(text, "(%rbp");
}

/* Of the C library's start files, and the thunks of sites, which mark records of heddle's own. */
static bool is_known(const char *line) {
    static const char *const names[] = {"<_init>",
                                        "<_fini>",
                                        "<register_tm_clones>",
                                        "<deregister_tm_clones>",
                                        "<__do_global_dtors_aux>",
                                        "<frame_dummy>",
                                        "<__wrap_",
                                        NULL};
    for (const char *const *name = names; *name; name++) {
        if (strstr(line, *name)) {
            return true;
        }
    }
    return false;
}

static void end_function(scan *s, const char *next) {
    s->unseen = s->unseen || (s->stores && !s->announces && !s->known);
    s->candidate = s->wants_address = s->stores = s->announces = false;
    s->known = is_known(next);
}

static void instruction(scan *s, uint64_t address, const char *text) {
    if (s->wants_address) {
        s->address = address;
        s->wants_address = false;
    }
    if (instruction_is_external(text)) {
        vector_push(s->external, address);
    }
    if (is_call(text)) {
        s->announces = s->announces || calls(text, "__tsan_");
        if (s->candidate && calls_any(text, reads)) {
            vector_push(s->addresses, s->address);
        }
        if (!calls(text, "heddle___tls_get_addr")) {
            s->candidate = s->wants_address = calls_any(text, writes);
        }
    } else if (text[0] == 'j' || strncmp(text, "ret", 3) == 0 || may_store(text)) {
        s->candidate = false;
        s->stores = s->stores || may_store_outside(text);
    }
}

static void scan_line(void *context, char *line) {
    scan *s = context;
    line[strcspn(line, "\n")] = '\0';
    char *end;
    uint64_t address = strtoull(line, &end, 16);
    if (strstr(line, ">:")) {
        end_function(s, line);
        return;
    }
    if (end == line || *end != ':') {
        s->candidate = s->wants_address = false; /* an empty line */
        return;
    }
    end += 1;
    instruction(s, address, end + strspn(end, " \t"));
}

bool compound_find(const char *path, address_list *addresses, address_list *external,
                   bool *unseen) {
    command c = {0};
    const char *words[] = {"objdump", "-d", "--no-show-raw-insn", "-j", ".text", path};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        vector_push(&c, words[i]);
    }
    pid_t process;
    FILE *stream = command_read(&c, &process);
    vector_free(&c);
    if (!stream) {
        return false;
    }
    scan s = {.addresses = addresses, .external = external};
    lines_read(stream, scan_line, &s);
    end_function(&s, "");
    *unseen = s.unseen;
    fclose(stream);
    return command_wait(process);
}
