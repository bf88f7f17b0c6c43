#include "targets/native/memory_operand.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "targets/native/registers.h"

const char *memory_operand_last(const char *text) {
    const char *last = text + strcspn(text, " \t");
    int depth = 0;
    for (const char *at = last; *at && *at != '\n' && *at != '#'; at++) {
        depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (*at == ',' && depth == 0) {
            last = at + 1;
        }
    }
    return last + strspn(last, " \t");
}

bool memory_operand_parse(const char *text, memory_operand *o) {
    char *rest;
    o->displacement = strtol(text, &rest, 0);
    rest += *rest == '+';
    const char *close = strchr(rest, ')');
    if (!close || close - rest + 2 > MEMORY_KEY_SIZE || strchr(rest, ':') ||
        memchr(rest, ' ', (size_t)(close - rest))) {
        return false;
    }
    snprintf(o->key, sizeof o->key, "%.*s", (int)(close + 1 - rest), rest);
    return strchr(o->key, '(') != NULL;
}

long memory_operand_letter_size(char letter) {
    static const char letters[] = "bwlq";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found ? 1L << (found - letters) : 0;
}

/* Those whose last letter is not their size; words that begin with another one come first. */
static long special_size(const char *text) {
    static const struct {
        const char *word;
        long size;
    } sizes[] = {{"movzb", 1},   {"movsb", 1},   {"movzw", 2},    {"movsw", 2},   {"movsl", 4},
                 {"fildll", 8},  {"fistpll", 8}, {"fisttpll", 8}, {"fildl", 4},   {"fistpl", 4},
                 {"fisttpl", 4}, {"filds", 2},   {"fistps", 2},   {"fisttps", 2}, {"fldt", 10},
                 {"fstpt", 10},  {"flds", 4},    {"fsts", 4},     {"fstps", 4},   {"fldl", 8},
                 {"fstl", 8},    {"fstpl", 8},   {"fnstcw", 2},   {"fldcw", 2},   {"fnstenv", 28},
                 {"fldenv", 28}, {"stmxcsr", 4}, {"ldmxcsr", 4},  {"movss", 4},   {"movsd", 8},
                 {"movlp", 8},   {"movhp", 8},   {"movd\t", 4},   {"movd ", 4},   {"movntdq", 16},
                 {"cvtss2", 4},  {"cvtsd2", 8},  {"cvttss2", 4},  {"cvttsd2", 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (text_starts(text, sizes[i].word)) {
            return sizes[i].size;
        }
    }
    return 0;
}

long memory_operand_size(const char *text) {
    size_t length = strcspn(text, " \t\n");
    long size = special_size(text);
    if (size || length < 3) {
        return size;
    }
    const char *end = text + length - 2;
    bool vector = text_starts(end, "ps") || text_starts(end, "pd") || text_starts(end, "qa") ||
                  text_starts(end, "qu");
    bool single = text_starts(end, "ss"), twice = text_starts(end, "sd");
    return vector ? 16 : single ? 4 : twice ? 8 : memory_operand_letter_size(end[1]);
}

bool memory_operand_changed(const char *text, const char *key) {
    const char *last = memory_operand_last(text);
    if (*text == '.' || *text == '#' || *text == '\n' || strchr(last, '(')) {
        return text_starts(text, "push") && register_in(key, REGISTER_RSP);
    }
    if (text_starts(text, "rep") || text_starts(text, "call") || *last != '%') {
        return true;
    }
    for (enum register_number i = 0; i < REGISTER_COUNT; i++) {
        if (register_in(last, i) && register_in(key, i)) {
            return true;
        }
    }
    return text_starts(text, "push") && register_in(key, REGISTER_RSP);
}

void memory_operand_write(const memory_operand *o, long pushed, FILE *out) {
    long displacement = o->displacement + (register_in(o->key, REGISTER_RSP) ? pushed : 0);
    fprintf(out, "%ld%s%s", displacement, *o->key == '(' ? "" : "+", o->key);
}

void memory_operand_announce(const memory_operand *o, long pushed, long size, const char *function,
                             FILE *out) {
    fputs("\tpushq\t%rdi\n\tpushq\t%rsi\n\tleaq\t", out);
    memory_operand_write(o, pushed + 16, out);
    fprintf(out,
            ", %%rdi\n\tmovl\t$%ld, %%esi\n\tcall\t%s@PLT\n"
            "\tpopq\t%%rsi\n\tpopq\t%%rdi\n",
            size, function);
}
