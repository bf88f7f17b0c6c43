#define _GNU_SOURCE
#include "targets/native/by_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/memory_operand.h"
#include "targets/native/registers.h"

enum { KEY_SIZE = MEMORY_KEY_SIZE };

_Static_assert(KEY_SIZE >= BY_VALUE_NAME_SIZE + 16, "a name and a register");

/* Bytes from `low` to `high` of "KEY", as in "low+KEY". */
typedef struct range {
    char key[KEY_SIZE];
    long low, high;
    uint32_t line;    /* before which it is announced */
    bool open;        /* its registers are as they were */
    bool repeats;     /* rep movs: from where %rsi (%rdi) points */
    long size;        /* of what it moves at a time */
    bool counted;     /* how often it moves is known */
    char tail[16];    /* "(%rax)": more of it may follow there; or "" */
    long tail_offset; /* where that is */
    bool writes;
} range;

typedef VECTOR(range) range_list;

void by_value_add(by_value_lines *l, const char *line) {
    vector_push(&l->starts, l->text.count);
    do {
        vector_push(&l->text, *line);
    } while (*line++);
}

static const char *line_at(const by_value_lines *l, uint32_t i) {
    return &vector_at(&l->text, vector_at(&l->starts, i));
}

bool by_value_ends(const char *line) {
    const char *text = line + strspn(line, " \t");
    if (text == line) { /* labels; those of the debug information are none */
        return !(text_starts(text, ".L") && isalpha((unsigned char)text[2])) && strchr(text, ':');
    }
    if (text_starts(text, "call")) {
        return !strstr(text, "memcpy@") && !strstr(text, "__tls_get_addr@");
    }
    return *text == 'j' || text_starts(text, "ret") || text_starts(text, ".cfi_endproc") ||
           text_starts(text, ".size");
}

/* ---- operands ---- */

/* Bytes that an instruction that copies structs accesses; 0: it is another one. */
static long copied_size(const char *text) {
    static const char *const words[] = {"mov",   "push", "fldt", "fstpt",
                                        "lddqu", "addq", "subq", "orq"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (text_starts(text, words[i])) {
            return memory_operand_size(text);
        }
    }
    return 0;
}

static bool touches_nothing(const char *text) {
    return *text == '.' || *text == '#' || *text == '\n' || text_starts(text, "lea") ||
           text_starts(text, "data16 lea") || text_starts(text, "nop") || !strchr(text, '(') ||
           strstr(text, "@GOTPCREL(") || strstr(text, "@tls") || text_starts(text, "call");
}

/* ---- registers ---- */

static void close_changed(range_list *ranges, const char *text) {
    for (uint32_t i = 0; i < ranges->count; i++) {
        range *r = &vector_at(ranges, i);
        r->open = r->open && !memory_operand_changed(text, r->key);
    }
}

/* ---- finding accesses ---- */

static void add_access(range_list *ranges, const char *key, long low, long high, bool writes,
                       uint32_t line) {
    for (uint32_t i = 0; i < ranges->count; i++) {
        range *r = &vector_at(ranges, i);
        if (r->open && r->writes == writes && strcmp(r->key, key) == 0 && low <= r->high &&
            high >= r->low) {
            r->low = low < r->low ? low : r->low;
            r->high = high > r->high ? high : r->high;
            return;
        }
    }
    range fresh = {.low = low, .high = high, .line = line, .open = true, .writes = writes};
    snprintf(fresh.key, sizeof fresh.key, "%s", key);
    vector_push(ranges, fresh);
}

/* "rep movsq", after "movl $37, %ecx" if `count` is not 0. */
static bool add_repeated(range_list *ranges, const char *text, const by_value_wish *wish,
                         long count, uint32_t line) {
    const char *word = text + 3 + strspn(text + 3, " \t");
    long size = text_starts(word, "movs") ? memory_operand_letter_size(word[4]) : 0;
    if (!size) {
        return false;
    }
    range fresh = {.line = line, .repeats = true, .size = size};
    fresh.counted = count != 0;
    fresh.high = fresh.tail_offset = count * fresh.size;
    snprintf(fresh.tail, sizeof fresh.tail, "(%%rsi)");
    if (wish->reads) {
        vector_push(ranges, fresh);
    }
    fresh.writes = true;
    snprintf(fresh.tail, sizeof fresh.tail, "(%%rdi)");
    if (wish->writes) {
        vector_push(ranges, fresh);
    }
    return true;
}

/* More of a struct, at a pointer into it or after it that was made meanwhile. */
static bool add_tail(range_list *ranges, const char *key, long low, long high, bool writes) {
    for (uint32_t i = 0; i < ranges->count; i++) {
        range *r = &vector_at(ranges, i);
        if (r->tail[0] && (!r->repeats || r->counted) && r->writes == writes &&
            strcmp(r->tail, key) == 0 && r->tail_offset + low >= r->low &&
            r->tail_offset + low <= r->high) {
            r->high = r->high > r->tail_offset + high ? r->high : r->tail_offset + high;
            return true;
        }
    }
    return false;
}

static void follow_tails(range_list *ranges, const char *text) {
    char from[8] = "", to[8] = "", key[16];
    long offset = 0;
    bool copied = sscanf(text, "movq %%%7[a-z0-9], %%%7[a-z0-9]", from, to) == 2 ||
                  sscanf(text, "leaq %ld(%%%7[a-z0-9]), %%%7[a-z0-9]", &offset, from, to) == 3;
    memory_operand place = {0};
    bool moved = text_starts(text, "leaq") && memory_operand_parse(text + 5, &place) &&
                 sscanf(memory_operand_last(text), "%%%7[a-z0-9]", to) == 1;
    snprintf(key, sizeof key, "(%%%s)", from);
    for (uint32_t i = 0; i < ranges->count; i++) {
        range *r = &vector_at(ranges, i);
        if (moved && r->open && !r->repeats && strcmp(r->key, place.key) == 0) {
            snprintf(r->tail, sizeof r->tail, "(%%%s)", to);
            r->tail_offset = place.displacement;
        } else if (copied && r->tail[0] && strcmp(r->tail, key) == 0) {
            snprintf(r->tail, sizeof r->tail, "(%%%s)", to);
            r->tail_offset += offset;
        } else if (r->tail[0] && !text_starts(text, "rep") &&
                   memory_operand_changed(text, r->tail)) {
            r->tail[0] = '\0';
        }
    }
}

/* "SYMBOL@GOTPCREL(%rip), %rax": the address of a variable. */
static bool takes_address(const char *text, char *symbol, char *key) {
    return sscanf(text, "movq %127[^@ (]@GOTPCREL(%%rip), %%%7[a-z0-9]", symbol, key) == 2;
}

void by_value_passed(const by_value_lines *l, const char *call, char *name) {
    char key[KEY_SIZE];
    name[0] = '\0';
    for (uint32_t i = 0; i < l->starts.count && strstr(call, "__tsan_read8@"); i++) {
        const char *text = line_at(l, i) + strspn(line_at(l, i), " \t");
        if (!takes_address(text, name, key)) {
            sscanf(text, "leaq %127[^( ](%%rip), %%rax", name);
        }
    }
}

/* The read that was announced: "movq x(%rip), %rax", or "(%rax)" right after its address. */
static bool is_announced(const char *announced, const char *key, const char *before) {
    char symbol[KEY_SIZE], target[KEY_SIZE], expected[KEY_SIZE + 8];
    snprintf(expected, sizeof expected, "%s(%%rip)", announced);
    if (strcmp(key, expected) == 0) {
        return true;
    }
    if (!takes_address(before, symbol, target) || strcmp(symbol, announced) != 0) {
        return false;
    }
    snprintf(expected, sizeof expected, "(%%%s)", target);
    return strcmp(key, expected) == 0;
}

typedef struct scan {
    char announced[BY_VALUE_NAME_SIZE];
    const char *before; /* the previous line */
    long count;         /* in %rcx, or 0 */
} scan;

/* Instructions that only look at memory, whatever their last operand is. */
static bool only_reads(const char *text) {
    return text_starts(text, "cmp") || text_starts(text, "test") || text_starts(text, "push") ||
           text_starts(text, "fld") || text_starts(text, "bt");
}

static bool is_repeated(const char *text) {
    return text_starts(text, "rep") && isspace((unsigned char)text[3]);
}

static bool line_stores(const char *text) {
    return is_repeated(text) ||
           (!touches_nothing(text) && !only_reads(text) && strchr(memory_operand_last(text), '('));
}

/* The first line that stores; their number if there is none. */
static uint32_t find_store(const by_value_lines *l) {
    uint32_t i = 0;
    while (i < l->starts.count && !line_stores(line_at(l, i) + strspn(line_at(l, i), " \t"))) {
        i++;
    }
    return i;
}

bool by_value_stores(const by_value_lines *l) {
    return find_store(l) < l->starts.count;
}

static bool add_line(range_list *ranges, const char *text, const by_value_wish *wish, uint32_t line,
                     scan *scan) {
    memory_operand at;
    long size = copied_size(text);
    if (is_repeated(text)) {
        return add_repeated(ranges, text, wish, scan->count, line);
    }
    if (touches_nothing(text)) {
        return true;
    }
    const char *last = memory_operand_last(text);
    bool stores = strchr(last, '(') && !only_reads(text);
    if (!(stores ? wish->writes : wish->reads)) {
        return true; /* to or from the thread's own copy */
    }
    const char *operand = strchr(last, '(') ? last : text + strcspn(text, " \t");
    operand += strspn(operand, " \t");
    if (!size || !memory_operand_parse(operand, &at)) {
        return false;
    }
    long low = at.displacement;
    if (scan->announced[0] && low == 0 && size == 8 &&
        is_announced(scan->announced, at.key, scan->before)) {
        scan->announced[0] = '\0'; /* once */
        return true;
    }
    if (add_tail(ranges, at.key, low, low + size, stores)) {
        return true;
    }
    add_access(ranges, at.key, low, low + size, stores, line);
    return true;
}

/* ---- writing ---- */

static void write_announcement(const range *r, FILE *out) {
    if (!r->repeats) {
        memory_operand at = {.displacement = r->low};
        memcpy(at.key, r->key, sizeof at.key);
        memory_operand_announce(&at, 0, r->high - r->low,
                                r->writes ? "heddle_struct_written" : "heddle_struct_read", out);
        return;
    }
    fputs("\tpushq\t%rdi\n\tpushq\t%rsi\n", out);
    if (!r->writes) {
        fputs("\tmovq\t%rsi, %rdi\n", out);
    }
    if (!r->counted) {
        fprintf(out, "\tleaq\t(,%%rcx,%ld), %%rsi\n", r->size);
    } else {
        fprintf(out, "\tmovl\t$%ld, %%esi\n", r->high - r->low);
    }
    fprintf(out, "\tcall\theddle_struct_%s@PLT\n\tpopq\t%%rsi\n\tpopq\t%%rdi\n",
            r->writes ? "written" : "read");
}

static bool find_accesses(const by_value_lines *l, const by_value_wish *wish, range_list *ranges) {
    scan scan = {.before = ""};
    snprintf(scan.announced, sizeof scan.announced, "%s", wish->announced);
    for (uint32_t i = 0; i < l->starts.count; i++) {
        const char *text = line_at(l, i) + strspn(line_at(l, i), " \t");
        if (!add_line(ranges, text, wish, i, &scan)) {
            return false;
        }
        follow_tails(ranges, text);
        close_changed(ranges, text);
        if (sscanf(text, "movl $%ld, %%ecx", &scan.count) != 1 &&
            memory_operand_changed(text, "(%rcx)")) {
            scan.count = 0;
        }
        scan.before = text;
    }
    return true;
}

void by_value_announce(by_value_lines *l, by_value_wish *wish, FILE *out) {
    range_list ranges = {0};
    if ((wish->reads || wish->writes) && !find_accesses(l, wish, &ranges)) {
        vector_clear(&ranges);
    }
    uint32_t announced = wish->copies && by_value_stores(l) ? find_store(l) + 1 : 0;
    for (uint32_t i = 0; i < l->starts.count; i++) {
        for (uint32_t k = 0; k < ranges.count; k++) {
            const range *r = &vector_at(&ranges, k);
            if (r->line == i) {
                if (i >= announced) {
                    write_announcement(r, out);
                }
                wish->has_written = wish->has_written || r->writes;
                wish->has_read = wish->has_read || !r->writes;
            }
        }
        fputs(line_at(l, i), out);
    }
    vector_clear(&l->text);
    vector_clear(&l->starts);
    vector_free(&ranges);
}
