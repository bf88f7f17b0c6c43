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
