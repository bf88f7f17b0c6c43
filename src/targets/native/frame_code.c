#include "targets/native/frame_code.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "targets/native/instructions.h"
#include "targets/native/lines.h"
#include "targets/native/memory_operand.h"
#include "targets/native/registers.h"

enum { MOST_TEXT = 512, MOST_SIZE = 64 /* that an instruction accesses */ };

/* An instruction: its word, and the rest without blanks at both ends. */
typedef struct instruction {
    char word[16];
    char operands[MOST_TEXT];
} instruction;

static const enum register_number kept[FRAME_REGISTERS] = {REGISTER_RBX, REGISTER_R12, REGISTER_R13,
                                                           REGISTER_R14, REGISTER_R15};

const char *frame_register_clear(uint32_t i) {
    CHECK(i < FRAME_REGISTERS);
    return register_clear(kept[i]);
}

static bool is_one_of(const char *word, const char *list) {
    return text_is_listed(word, strlen(word), list);
}

/* ---- lines ---- */

/* False: the line has none that is understood. Directives and labels have an empty word. */
static bool read_instruction(const char *line, uint32_t length, instruction *in) {
    char text[MOST_TEXT];
    in->word[0] = in->operands[0] = '\0';
    if (length >= sizeof text) {
        const char *first = line + strspn(line, " \t");
        return *first == '.';
    }
    memcpy(text, line, length);
    text[length] = '\0';
    size_t label = instruction_label(text);
    const char *at = text + label + strspn(text + label, " \t\n");
    if (*at == '.' || *at == '\0') {
        return !strstr(at, "cfi_lsda");
    }
    size_t word = strcspn(at, " \t\n"), last = strlen(at);
    if (label || word >= sizeof in->word || strpbrk(at, "#;")) {
        return false;
    }
    memcpy(in->word, at, word);
    in->word[word] = '\0';
    while (last > word && isspace((unsigned char)at[last - 1])) {
        last--;
    }
    word += strspn(at + word, " \t\n");
    if (last > word) {
        memcpy(in->operands, at + word, last - word);
        in->operands[last - word] = '\0';
    }
    return true;
}

static const char *line_text(const frame_code *f, uint32_t i) {
    return f->text + vector_at(&f->lines, i).start;
}

/* The next line with an instruction. */
static uint32_t next_instruction(const frame_code *f, uint32_t i, instruction *in) {
    while (++i < f->lines.count) {
        if (!read_instruction(line_text(f, i), vector_at(&f->lines, i).length, in)) {
            break;
        }
        if (in->word[0]) {
            return i;
        }
    }
    in->word[0] = in->operands[0] = '\0';
    return i;
}

/* ---- bytes ---- */

/* The bytes from `low` to `high` that are parts. */
static void add_bytes(frame_set *s, long low, long high) {
    low = low < -FRAME_BYTES ? -FRAME_BYTES : low;
    for (long at = low; at < high && at < 0; at++) {
        frame_set_add(s, frame_part_at(at));
    }
}

#define WIDE_MOVES "movaps movups movapd movupd movdqa movdqu"

/* The bytes that the word accesses of an operand in memory; MOST_SIZE: it is not known. */
static uint32_t access_size(const char *word) {
    static const char plain[] =
        "mov cmp add sub and or xor test inc dec neg not imul sal sar shr shl adc sbb";
    size_t length = strlen(word);
    bool extends = length == 6 && (text_starts(word, "movz") || text_starts(word, "movs"));
    bool known = extends || is_one_of(word, "movss movsd " WIDE_MOVES) ||
                 (length > 0 && text_is_listed(word, length - 1, plain));
    long size = known ? memory_operand_size(word) : strcmp(word, "call") == 0 ? 8 : 0;
    return size ? (uint32_t)size : MOST_SIZE;
}

/* The instruction writes the whole of its last operand, and nothing else. */
static bool is_move(const char *word) {
    return is_one_of(word, "movb movw movl movq movss movsd " WIDE_MOVES);
}

/* ---- what an instruction does to the frame ---- */

/* The address is passed on: every variable that lies or ends there may be read or written. */
static void take_address(frame_code *f, long offset) {
    long low = LONG_MIN, high = LONG_MAX;
    for (uint32_t i = 0; i < f->starts->count; i++) {
        long start = vector_at(f->starts, i);
        low = start < offset && start > low ? start : low;
        high = start > offset && start < high ? start : high;
    }
    add_bytes(&f->unclear, low, high);
}

/* The number before "(%rbp)", which begins at `open`; false: there is something else. */
static bool read_offset(const char *operands, const char *open, const char **start, long *offset) {
    const char *at = open;
    while (at > operands && isdigit((unsigned char)at[-1])) {
        at--;
    }
    at -= at > operands && at[-1] == '-';
    char *end;
    *offset = strtol(at, &end, 10);
    *start = at;
    return at < open && end == open && (at == operands || at[-1] == ' ' || at[-1] == '*');
}

/* "leaq N(%rbp), %rax", "movq %rax, %rdi", and a callback for a plain access: the address goes
 * nowhere else. 0: it is something else. */
static uint32_t announced_size(const frame_code *f, uint32_t i, const char *destination) {
    instruction next;
    char wanted[32];
    unsigned size = 0;
    i = next_instruction(f, i, &next);
    if (strcmp(destination, "%rdi") != 0) {
        if (strcmp(destination, "%rax") != 0) {
            return 0; /* calls may preserve it */
        }
        snprintf(wanted, sizeof wanted, "%.10s, %%rdi", destination);
        if (strcmp(next.word, "movq") != 0 || strcmp(next.operands, wanted) != 0) {
            return 0;
        }
        next_instruction(f, i, &next);
    }
    bool plain =
        strcmp(next.word, "call") == 0 && (sscanf(next.operands, "__tsan_read%u", &size) == 1 ||
                                           sscanf(next.operands, "__tsan_write%u", &size) == 1);
    return plain && size <= 16 ? size : 0;
}

/* "leaq N(%rbp), %rsi", and a compare-exchange, which reads and writes what it expects. */
static uint32_t expected_size(const frame_code *f, uint32_t i, const char *destination,
                              uint32_t *call) {
    instruction next;
    unsigned bits = 0;
    int length = 0;
    *call = next_instruction(f, i, &next);
    while (text_starts(next.word, "mov") && !strstr(next.operands, "si")) {
        *call = next_instruction(f, *call, &next);
    }
    bool expects =
        strcmp(destination, "%rsi") == 0 && strcmp(next.word, "call") == 0 &&
        sscanf(next.operands, "__tsan_atomic%u_compare_exchange_%n", &bits, &length) == 1 &&
        (text_starts(next.operands + length, "strong") ||
         text_starts(next.operands + length, "weak"));
    return expects && length ? bits / 8 : 0;
}

static bool read_address(frame_code *f, uint32_t i, const instruction *in, long offset) {
    const char *destination = strrchr(in->operands, ' ');
    uint32_t size, call = i;
    if (!destination) {
        return false;
    }
    if (announced_size(f, i, destination + 1)) {
        return true;
    }
    if (!(size = expected_size(f, i, destination + 1, &call))) {
        take_address(f, offset);
        return true;
    }
    for (uint32_t k = i; k <= call; k++) {
        add_bytes(&vector_at(&f->lines, k).reads, offset, offset + (long)size);
    }
    return true;
}

/* An operand "N(%rbp)". */
static bool read_local(frame_code *f, uint32_t i, const instruction *in, const char *open) {
    frame_line *l = &vector_at(&f->lines, i);
    const char *start;
    long offset, size = access_size(in->word);
    if (!read_offset(in->operands, open, &start, &offset)) {
        return false;
    }
    if (text_starts(in->word, "lea")) {
        return read_address(f, i, in, offset);
    }
    bool last = open[strlen("(%rbp)")] == '\0' && start != in->operands;
    if (size == MOST_SIZE) {
        add_bytes(&f->unclear, offset, offset + size);
    } else if (last && is_move(in->word)) {
        add_bytes(&l->writes, offset, offset + size);
        add_bytes(&f->written, offset, offset + size);
    } else {
        add_bytes(&l->reads, offset, offset + size);
    }
    return true;
}

/* An operand "N(%rbp,%rax,4)": an element of the array in which N lies. */
static bool read_element(frame_code *f, const instruction *in, const char *open) {
    const char *start;
    long offset;
    bool good = read_offset(in->operands, open, &start, &offset);
    if (good) {
        take_address(f, offset);
    }
    return good;
}

/* The frame is named as N(%rbp) or by an index only; false: it is not. */
static bool read_frame(frame_code *f, uint32_t i, const instruction *in) {
    for (const char *at = in->operands; (at = strchr(at, '%')); at++) {
        bool names = text_starts(at, "%rbp") || text_starts(at, "%ebp") || text_starts(at, "%bp");
        if (!names) {
            continue;
        }
        bool local = at > in->operands && text_starts(at - 1, "(%rbp)");
        bool element = at > in->operands && text_starts(at - 1, "(%rbp,");
        if (!(local && read_local(f, i, in, at - 1)) && !(element && read_element(f, in, at - 1))) {
            return false;
        }
    }
    return true;
}

/* ---- registers ---- */

/* A write of the lower half clears the other one. */
static bool writes_register(const instruction *in, uint32_t number) {
    const char *last = strrchr(in->operands, '%');
    bool word = is_one_of(in->word, "movl movq leaq leal popq") ||
                (strlen(in->word) == 6 && memory_operand_letter_size(in->word[5]) >= 4 &&
                 (text_starts(in->word, "movz") || text_starts(in->word, "movs")));
    bool wide = last && register_is_wide(last + 1, kept[number]);
    return word && wide && !strchr(last, ')');
}

static void read_registers(frame_code *f, uint32_t i, const instruction *in) {
    frame_line *l = &vector_at(&f->lines, i);
    for (uint32_t number = 0; number < FRAME_REGISTERS; number++) {
        const char *last = strrchr(in->operands, '%');
        for (const char *at = in->operands; (at = strchr(at, '%')); at++) {
            if (register_starts(at + 1, kept[number]) &&
                !(at == last && writes_register(in, number))) {
                frame_set_add(&l->reads, number);
            }
        }
        if (writes_register(in, number)) {
            frame_set_add(&l->writes, number);
            frame_set_add(&f->written, number);
        }
    }
}

/* ---- where it goes ---- */

static uint32_t find_label(const frame_code *f, const char *name) {
    for (uint32_t i = 0; i < f->labels.count; i++) {
        uint32_t line = vector_at(&f->labels, i);
        if (line_is_label(line_text(f, line), name)) {
            return line;
        }
    }
    return FRAME_NOWHERE;
}

static void read_jump(const frame_code *f, frame_line *l, const instruction *in) {
    bool prefixed = strcmp(in->word, "notrack") == 0;
    bool always = prefixed || strcmp(in->word, "jmp") == 0;
    l->goes_on = !always;
    l->target = find_label(f, in->operands);
    l->anywhere = l->target == FRAME_NOWHERE;
}

static bool is_name(const char *operands, const char *names) {
    return text_is_listed(operands, strcspn(operands, "@"), names);
}

/* The thread may have to wait in the function that is called. */
static bool may_park(const char *callee) {
    static const char others[] =
        "__assert_fail abort exit _exit _Exit quick_exit pthread_exit thrd_exit reach_error "
        "__stack_chk_fail __tls_get_addr longjmp siglongjmp";
    static const char callbacks[] =
        "heddle_* __tsan_read* __tsan_write* __tsan_unaligned* __tsan_func* __tsan_init* "
        "__tsan_vptr*";
    return !is_one_of(callee, callbacks) && !is_name(callee, others) && !strstr(callee, "r11");
}

/* The symbol is an operand, or a part of one, as in *name@GOTPCREL(%rip). */
static bool names_symbol(const char *operands, const char *name) {
    size_t length = strlen(name);
    for (const char *at = operands; (at = strstr(at, name)); at += length) {
        bool starts = at == operands || !(isalnum((unsigned char)at[-1]) || at[-1] == '.');
        if (starts && !text_is_name_part(at[length])) {
            return true;
        }
    }
    return false;
}

/* Something is called, now or later, that returns twice; or a call reads more than it names: a
 * register in the name of a thunk, one that the large code model passes on, code of this function
 * that is called. */
static bool is_strange(const instruction *in) {
    static const char *const twice[] = {"setjmp", "sigsetjmp", "vfork", "getcontext", "savectx"};
    for (uint32_t i = 0; i < sizeof twice / sizeof *twice; i++) {
        if (names_symbol(in->operands, twice[i])) {
            return true;
        }
    }
    return strstr(in->operands, "__x86_") || strstr(in->operands, "@PLTOFF") ||
           (text_starts(in->word, "call") && text_starts(in->operands, ".L"));
}

static bool is_prologue(const instruction *in) {
    bool push = strcmp(in->word, "pushq") == 0 || strcmp(in->word, "popq") == 0;
    return (push && strcmp(in->operands, "%rbp") == 0) ||
           (strcmp(in->word, "movq") == 0 && strcmp(in->operands, "%rsp, %rbp") == 0);
}

/* A label for the places of variables, or of arguments: the function was optimised. Without, there
 * are only those after indirect calls and after those that find thread-local variables. */
static bool tracks_variables(const frame_code *f, uint32_t i) {
    instruction in = {{0}, {0}};
    if (!text_starts(line_text(f, i), ".LVL")) {
        return false;
    }
    while (i-- > 0 && !in.word[0]) {
        if (!read_instruction(line_text(f, i), vector_at(&f->lines, i).length, &in)) {
            return true;
        }
    }
    return strcmp(in.word, "call") != 0 ||
           (in.operands[0] != '*' && !is_name(in.operands, "__tls_get_addr"));
}

static bool read_line(frame_code *f, uint32_t i) {
    instruction in;
    frame_line *l = &vector_at(&f->lines, i);
    l->goes_on = true;
    if (!read_instruction(line_text(f, i), l->length, &in) || is_strange(&in) ||
        tracks_variables(f, i)) {
        return false;
    }
    if (!in.word[0] || is_prologue(&in)) {
        return true;
    }
    if (text_starts(in.word, "ret") || strcmp(in.operands, "ret") == 0) {
        l->returns = true;
        l->goes_on = false;
    } else if (in.word[0] == 'j' || strcmp(in.word, "notrack") == 0) {
        read_jump(f, l, &in);
    }
    l->parks = text_starts(in.word, "call") && may_park(in.operands);
    read_registers(f, i, &in);
    return read_frame(f, i, &in);
}

/* ---- functions ---- */

static void split(frame_code *f) {
    for (const char *at = f->text; *at;) {
        uint32_t length = (uint32_t)strcspn(at, "\n");
        length += at[length] == '\n';
        if (instruction_label(at)) {
            vector_push(&f->labels, f->lines.count);
        }
        frame_line line = {.start = (uint32_t)(at - f->text), .length = length};
        line.target = FRAME_NOWHERE;
        vector_push(&f->lines, line);
        at += length;
    }
}

/* It begins by making %rbp point to its frame. Registers that it does not save then are not its
 * own: global variables of the program, for instance. */
static bool has_frame(frame_code *f) {
    instruction in;
    frame_set others = {{(1 << FRAME_REGISTERS) - 1}};
    uint32_t i = next_instruction(f, 0, &in);
    if (strcmp(in.word, "endbr64") == 0) {
        i = next_instruction(f, i, &in);
    }
    if (strcmp(in.word, "pushq") != 0 || strcmp(in.operands, "%rbp") != 0) {
        return false;
    }
    i = next_instruction(f, i, &in);
    if (strcmp(in.word, "movq") != 0 || strcmp(in.operands, "%rsp, %rbp") != 0) {
        return false;
    }
    while (i = next_instruction(f, i, &in), strcmp(in.word, "pushq") == 0) {
        for (uint32_t k = 0; k < FRAME_REGISTERS; k++) {
            others.words[0] &= ~((uint64_t)register_starts(in.operands + 1, kept[k]) << k);
        }
    }
    f->unclear.words[0] |= others.words[0];
    return true;
}

bool frame_code_read(frame_code *f, const char *text, const frame_offsets *starts) {
    f->text = text;
    f->starts = starts;
    split(f);
    if (!has_frame(f)) {
        return false;
    }
    for (uint32_t i = 0; i < f->lines.count; i++) {
        if (!read_line(f, i)) {
            return false;
        }
    }
    return true;
}

void frame_code_free(frame_code *f) {
    vector_free(&f->lines);
    vector_free(&f->labels);
}
