#define _GNU_SOURCE
#include "targets/native/assembly.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/instructions.h"
#include "targets/native/memory_operand.h"

enum { OPERAND_SIZE = 128 };

typedef struct assembly_access {
    const char *function; /* that announces it */
    char operand[OPERAND_SIZE];
    long size;
} assembly_access;

typedef struct writer {
    FILE *out;
    bool locked;    /* the prefix was a line of its own */
    bool elsewhere; /* in another section */
    bool understood;
} writer;

/* The size in the last letter, if the rest is the word. */
static bool is_word(const char *text, size_t length, const char *word, long *size) {
    size_t plain = strlen(word);
    long known = length == plain + 1 && text_starts(text, word)
                     ? memory_operand_letter_size(text[plain])
                     : 0;
    *size = known ? known : *size;
    return known || text_is(text, length, word);
}

/* Of "%eax", "%rcx", "%r8d", "%al"; 0: something else. */
static long register_size(const char *operand, size_t length) {
    if (length < 3 || *operand != '%') {
        return 0;
    }
    bool numbered = operand[1] == 'r' && isdigit((unsigned char)operand[2]);
    char last = operand[length - 1];
    if (numbered) {
        return last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
    }
    bool known = strchr("abcds", operand[length == 4 ? 2 : 1]) != NULL;
    return !known                                        ? 0
           : length == 4 && operand[1] == 'r'            ? 8
           : length == 4 && operand[1] == 'e'            ? 4
           : length == 3 && (last == 'l' || last == 'h') ? 1
           : length == 3                                 ? 2
                                                         : 0;
}

typedef struct operands {
    const char *memory;
    size_t memory_length;
    bool memory_last;
    long register_size;
    uint32_t count, in_memory;
} operands;

static operands split_operands(const char *text) {
    operands found = {0};
    int depth = 0;
    for (const char *start = text, *at = text;; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (*at == '\0' || (*at == ',' && depth == 0)) {
            size_t length = (size_t)(at - start);
            while (length && isspace((unsigned char)start[length - 1])) {
                length--;
            }
            bool memory = memchr(start, '(', length) != NULL;
            found.count++;
            found.in_memory += memory;
            found.memory = memory ? start : found.memory;
            found.memory_length = memory ? length : found.memory_length;
            found.memory_last = memory;
            long size = register_size(start, length);
            found.register_size = size ? size : found.register_size;
            if (*at == '\0') {
                return found;
            }
            start = at + 1 + strspn(at + 1, " \t");
        }
    }
}

static bool is_update(const char *text, size_t length, long *size) {
    static const char *const words[] = {"xadd", "cmpxchg", "add", "sub", "and", "or",
                                        "xor",  "inc",     "dec", "neg", "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_word(text, length, words[i], size)) {
            return true;
        }
    }
    return false;
}

static bool find_access(const char *text, bool locked, assembly_access *a) {
    size_t length = strcspn(text, " \t");
    operands o = split_operands(text + length + strspn(text + length, " \t"));
    a->size = 0;
    if (o.in_memory != 1 || o.memory_length >= OPERAND_SIZE ||
        memchr(o.memory, ':', o.memory_length) || memchr(o.memory, '*', o.memory_length)) {
        return false;
    }
    if (is_word(text, length, "xchg", &a->size) || (locked && is_update(text, length, &a->size))) {
        a->function = "heddle_assembly_updates";
    } else if (!locked && o.count == 2 && is_word(text, length, "mov", &a->size)) {
        a->function = o.memory_last ? "heddle_assembly_stores" : "heddle_assembly_loads";
    } else {
        return false;
    }
    a->size = a->size ? a->size : o.register_size;
    snprintf(a->operand, sizeof a->operand, "%.*s", (int)o.memory_length, o.memory);
    return a->size != 0;
}

/* Two registers are on the stack then. */
static void write_announcement(const assembly_access *a, FILE *out) {
    char *rest;
    long displacement = strtol(a->operand, &rest, 0);
    displacement += strstr(rest, "(%rsp") ? 16 : 0;
    rest += *rest == '+';
    fprintf(out,
            "\tpushq\t%%rdi\n\tpushq\t%%rsi\n\tleaq\t%ld%s%s, %%rdi\n\tmovl\t$%ld, %%esi\n"
            "\tcall\t%s@PLT\n\tpopq\t%%rsi\n\tpopq\t%%rdi\n",
            displacement, *rest == '(' ? "" : "+", rest, a->size, a->function);
}

void assembly_write_fence(FILE *out) {
    fputs(
        "\tpushq\t%rdi\n\tpushq\t%rsi\n\tcall\theddle_assembly_fence@PLT\n"
        "\tpopq\t%rsi\n\tpopq\t%rdi\n",
        out);
}

bool assembly_is_fence(const char *text) {
    return text_is(text, strcspn(text, " \t\n"), "mfence");
}

bool assembly_is_request(const char *statement) {
    static const char sequence[] =
        "rolq$3,%rdi;rolq$13,%rdi;rolq$61,%rdi;rolq$51,%rdi;xchgq%rbx,%rbx";
    size_t done = 0;
    bool separated = true;
    for (const char *at = statement; *at; at++) {
        bool separates = *at == ';' || *at == '\n';
        char c = separates ? ';' : *at;
        if (isblank((unsigned char)c) || (separates && (separated || !sequence[done]))) {
            continue;
        }
        if (sequence[done] != c) {
            return false;
        }
        separated = separates;
        done++;
    }
    return !sequence[done];
}

/* The address of its arguments is in %rax; its result, in %rdx, stays what it was. */
void assembly_write_request(FILE *out) {
    fputs(
        "\tpushq\t%rdi\n\tpushq\t%rsi\n\tmovq\t%rax, %rdi\n"
        "\tcall\theddle_assembly_requests@PLT\n\tpopq\t%rsi\n\tpopq\t%rdi\n",
        out);
}

/* Three words are on the stack where the operand is computed: what was loaded, two registers. */
bool assembly_write_thread_pointer(const char *text, FILE *out) {
    char operand[OPERAND_SIZE], target[OPERAND_SIZE] = "";
    int used = 0;
    size_t length = strcspn(text, " \t");
    long size = 8;
    bool moves = is_word(text, length, "mov", &size) && size == 8 &&
                 sscanf(text + length, " %%fs:%127[^, \t] , %127s%n", operand, target, &used) == 2;
    const char *end = text + length + used;
    char *rest = operand;
    long displacement = moves ? strtol(operand, &rest, 0) : 0;
    if (!moves || register_size(target, strlen(target)) != 8 || end[strspn(end, " \t\n")] ||
        (*rest != '(' && *rest)) {
        return false;
    }
    displacement += strstr(rest, "(%rsp") ? 24 : 0;
    fputs("\tleaq\t-8(%rsp), %rsp\n\tpushq\t%rdi\n\tpushq\t%rsi\n", out);
    if (*rest == '(') {
        fprintf(out, "\tleaq\t%ld%s, %%rsi\n", displacement, rest);
    } else {
        fprintf(out, "\tmovq\t$%ld, %%rsi\n", displacement);
    }
    fprintf(out,
            "\tleaq\t16(%%rsp), %%rdi\n\tcall\theddle_assembly_thread_word@PLT\n"
            "\tpopq\t%%rsi\n\tpopq\t%%rdi\n\tpopq\t%s\n",
            target);
    return true;
}

static void write_instruction(void *context, char *text) {
    writer *w = context;
    assembly_access a;
    text += strspn(text, " \t");
    if (instruction_is_elsewhere(text, &w->elsewhere)) {
        fprintf(w->out, "\t%s\n", text);
        return;
    }
    size_t length = strcspn(text, " \t");
    bool prefix = length == 4 && text_starts(text, "lock");
    if (prefix) {
        w->locked = true;
        text += length + strspn(text + length, " \t");
    }
    if (!*text) {
        return;
    }
    if (!w->locked && assembly_write_thread_pointer(text, w->out)) {
        return;
    }
    if (find_access(text, w->locked, &a)) {
        write_announcement(&a, w->out);
    } else if (assembly_is_fence(text)) {
        assembly_write_fence(w->out);
    } else if (!instruction_is_harmless(text, false)) {
        w->understood = false;
    }
    fprintf(w->out, "\t%s%s\n", w->locked ? "lock " : "", text);
    w->locked = false;
}

/* A label after the first instruction of a line would be lost. */
static bool has_inner_label(const char *text) {
    bool has = false;
    for (const char *next = text; (next = strchr(next, ';'));) {
        next++;
        has = has || instruction_label(next) != 0;
    }
    return has;
}

static void write_line(writer *w, char *line) {
    char *text = line;
    for (size_t label; (label = instruction_label(text));) {
        fprintf(w->out, "%.*s\n", (int)label, text);
        text += label;
    }
    bool elsewhere = w->elsewhere;
    bool quoted = strchr(text, '"') && !instruction_is_elsewhere(text, &elsewhere);
    w->understood = w->understood && !quoted && !has_inner_label(text);
    instructions_in_line(text, write_instruction, w);
}

bool assembly_announce(const char *statement, FILE *out) {
    char *copy = strdup(statement), *text = NULL, *rest = copy;
    size_t size = 0;
    writer w = {.out = open_memstream(&text, &size), .understood = true};
    for (char *line; w.out && (line = strsep(&rest, "\n"));) {
        write_line(&w, line);
    }
    bool good = w.out && fclose(w.out) == 0 && w.understood && !w.locked && !w.elsewhere;
    if (good) {
        fwrite(text, 1, size, out);
    }
    free(text);
    free(copy);
    return good;
}
