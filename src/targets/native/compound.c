#include "targets/native/compound.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/attachment.h"
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
    size_t prefix = text_starts(text, "bnd ") ? 4 : text_starts(text, "notrack ") ? 8 : 0;
    return text_starts(text + prefix, "call");
}

static bool calls(const char *text, const char *name) {
    const char *target = strchr(text, '<');
    return target && text_starts(target + 1, name);
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
    if (text_starts(text, "lea") || text_starts(text, "cmp") || text_starts(text, "test") ||
        text_starts(text, "nop") || text_starts(text, "data16 lea")) {
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
    } else if (text[0] == 'j' || text_starts(text, "ret") || may_store(text)) {
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

static bool disassemble(const char *path, address_list *addresses, address_list *external,
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

/* ---- kept in the file of the program ---- */

/* Comes last, after the addresses and then those that are external. */
typedef struct kept_scan {
    uint32_t address_count, external_count;
    uint32_t unseen;
    uint32_t unused;
    char magic[8]; /* another one when another version would find something else */
} kept_scan;

static const char magic[8] = {'h', 'e', 'd', 's', 'c', 'a', 'n', '1'};

static bool write_list(FILE *file, const address_list *list) {
    return !list->count ||
           fwrite(list->items, sizeof *list->items, list->count, file) == list->count;
}

static bool append(const char *path, const address_list *addresses, const address_list *external,
                   bool unseen) {
    FILE *file = fopen(path, "ab");
    if (!file) {
        return false;
    }
    kept_scan kept = {addresses->count, external->count, unseen, 0, {0}};
    memcpy(kept.magic, magic, sizeof magic);
    bool good = write_list(file, addresses) && write_list(file, external) &&
                fwrite(&kept, sizeof kept, 1, file) == 1;
    return fclose(file) == 0 && good;
}

bool compound_keep(const char *path) {
    address_list addresses = {0}, external = {0};
    bool unseen = false;
    bool kept = disassemble(path, &addresses, &external, &unseen) &&
                append(path, &addresses, &external, unseen);
    vector_free(&addresses);
    vector_free(&external);
    return kept;
}

static bool read_list(FILE *file, address_list *list, uint32_t count) {
    vector_resize(list, count);
    return !count || fread(list->items, sizeof *list->items, count, file) == count;
}

static bool read_kept(FILE *file, int64_t end, address_list *addresses, address_list *external,
                      bool *unseen) {
    kept_scan kept;
    int64_t place = end - (int64_t)sizeof kept;
    if (place < 0 || fseek(file, place, SEEK_SET) != 0 || fread(&kept, sizeof kept, 1, file) != 1 ||
        memcmp(kept.magic, magic, sizeof magic) != 0) {
        return false;
    }
    uint64_t size = ((uint64_t)kept.address_count + kept.external_count) * sizeof(uint64_t);
    *unseen = kept.unseen;
    return size <= (uint64_t)place && fseek(file, place - (int64_t)size, SEEK_SET) == 0 &&
           read_list(file, addresses, kept.address_count) &&
           read_list(file, external, kept.external_count);
}

bool compound_find(const char *path, address_list *addresses, address_list *external,
                   bool *unseen) {
    FILE *file = fopen(path, "rb");
    bool found = file && read_kept(file, attachment_place(path), addresses, external, unseen);
    if (file) {
        fclose(file);
    }
    if (found) {
        return true;
    }
    vector_clear(addresses);
    vector_clear(external);
    *unseen = false;
    return disassemble(path, addresses, external, unseen);
}
