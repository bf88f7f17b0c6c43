#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native/unseen.h"

enum { PLACE_SIZE = 256 };

typedef struct reader {
    unseen_found *found;
    void *context;
    const char *source;
    bool in_function, inside; /* inside: between #APP and #NO_APP */
    char place[PLACE_SIZE];   /* of the latest line directive */
    bool told;                /* this place */
} reader;

/* Instructions that touch no memory whatever their operands are. */
static const char alone[] = " pause nop yield mfence lfence sfence isb dmb dsb hint ud2 ";

/* Those that touch none if their operands are registers and constants. */
static const char computing[] =
    " mov movb movw movl movq movzbl movzwl movsbl movswl movslq add addl addq adc adcl adcq sub "
    "subl subq sbb sbbl sbbq and andl andq or orl orq xor xorl xorq not notl notq neg negl negq "
    "mul mull mulq imul imull imulq div divl divq shl shll shlq shr shrl shrq sar sarl sarq rol "
    "roll rolq ror rorl rorq bswap bswapl bswapq bsf bsfl bsfq bsr bsrl bsrq popcnt lzcnt tzcnt "
    "cmp cmpl cmpq test testl testq sete setne setc setz inc incl incq dec decl decq ";

static bool listed(const char *list, const char *word, size_t length) {
    for (const char *at = list; (at = memmem(at, strlen(at), word, length)); at++) {
        if (at[-1] == ' ' && at[length] == ' ') {
            return true;
        }
    }
    return false;
}

/* "%eax, %ebx" or "$1, %eax": no name, no parentheses. */
static bool only_registers(const char *operands) {
    for (const char *at = operands; *at;) {
        at += strspn(at, " \t,\n");
        if (*at && *at != '%' && *at != '$') {
            return false;
        }
        size_t length = strcspn(at, ",");
        if (memchr(at, '(', length) || memchr(at, '[', length) || memchr(at, ':', length)) {
            return false;
        }
        at += length;
    }
    return true;
}

/* Directives: inside a function, data is an instruction in disguise. */
static bool is_data(const char *text) {
    static const char *const words[] = {".byte", ".word", ".long", ".quad", ".inst", ".insn", NULL};
    for (const char *const *word = words; *word; word++) {
        if (strncmp(text, *word, strlen(*word)) == 0) {
            return true;
        }
    }
    return false;
}

/* One instruction of inline assembly; empty ones and comments are harmless. */
static bool is_harmless(const char *text, bool in_function) {
    text += strspn(text, " \t\n");
    size_t length = strcspn(text, " \t\n");
    if (length && text[length - 1] == ':') { /* a label */
        text += length + strspn(text + length, " \t\n");
        length = strcspn(text, " \t\n");
    }
    if (!length || *text == '#') {
        return true;
    }
    if (*text == '.') {
        return !in_function || !is_data(text);
    }
    if (length == 3 && strncmp(text, "rep", 3) == 0) { /* "rep; nop" is a pause */
        const char *next = text + 3 + strspn(text + 3, " \t");
        return !*next || *next == '\n' || strncmp(next, "nop", 3) == 0;
    }
    return listed(alone, text, length) ||
           (listed(computing, text, length) && only_registers(text + length));
}

static void check_instructions(reader *r, char *line) {
    char *rest = line;
    for (char *one; (one = strsep(&rest, ";"));) {
        if (!is_harmless(one, r->in_function) && !r->told) {
            r->told = true;
            r->found(r->context, "", "inline assembly", r->in_function ? r->place : r->source);
        }
    }
}

static void set_place(reader *r, const char *file, int length, unsigned long line) {
    snprintf(r->place, sizeof r->place, "%.*s:%lu", length, file, line);
    r->told = false;
}

/* gcc: # 9 "file.c" 1 */
static bool gcc_place(reader *r, const char *line) {
    char *end;
    unsigned long number = strtoul(line + 1, &end, 10);
    if (line[0] != '#' || line[1] != ' ' || end == line + 1 || strncmp(end, " \"", 2) != 0) {
        return false;
    }
    if (number) {
        set_place(r, end + 2, (int)strcspn(end + 2, "\""), number);
    }
    return true;
}

/* clang: .loc 0 9 3 # file.c:9:3 */
static void clang_place(reader *r, const char *line) {
    const char *comment = strstr(line, "# ");
    const char *colon = comment ? strchr(comment, ':') : NULL;
    if (colon) {
        set_place(r, comment + 2, (int)(colon - comment - 2), strtoul(colon + 1, NULL, 10));
    }
}

static void read_line(reader *r, char *line) {
    const char *text = line + strspn(line, " \t");
    if (strncmp(text, ".cfi_startproc", 14) == 0 || strncmp(text, ".cfi_endproc", 12) == 0) {
        r->in_function = text[5] == 's';
        r->told = false;
    } else if (strncmp(text, "#APP", 4) == 0 || strncmp(text, "#NO_APP", 7) == 0) {
        r->inside = text[1] == 'A';
    } else if (strncmp(text, ".loc", 4) == 0 && isspace((unsigned char)text[4])) {
        clang_place(r, text);
    } else if ((r->inside || !r->in_function) && !gcc_place(r, text)) {
        check_instructions(r, line);
    }
}

void unseen_in_assembly(const char *assembly, const char *source, unseen_found *found,
                        void *context) {
    FILE *file = fopen(assembly, "r");
    if (!file) {
        return;
    }
    reader r = {.found = found, .context = context, .source = source};
    snprintf(r.place, sizeof r.place, "%s", source);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) > 0) {
        read_line(&r, line);
    }
    free(line);
    fclose(file);
}
