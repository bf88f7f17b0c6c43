#define _GNU_SOURCE
#include "targets/native/instructions.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { ENCODING_SIZE = 8 }; /* bytes of an instruction that is written as such */

/* They touch no memory whatever their operands are; of "lock" and "rep" the next word decides. A
 * fence does nothing under sequential consistency. */
static const char harmless[] =
    "rdtsc rdtscp rdrand rdseed rdpid cpuid pause nop nopw nopl nopq mfence lfence sfence lea leal "
    "leaq leaw prefetch* clflush clflushopt "
    "clwb ud2 cpuid xgetbv endbr64 endbr32 lock rep cld emms vzeroupper vzeroall "
    "isb dmb dsb yield hint wfe sev sevl prfm clrex";

#ifdef __x86_64__

/* They touch memory that their operands do not name, go elsewhere, ask the kernel, or do something
 * else in every run. */
static const char special[] =
    "in inb inw inl out outb outw outl repe repz repne repnz xlat* maskmov* vmaskmovdqu call* ret* "
    "iret* leave* enter* int int1 int3 into syscall sysenter sysexit sysret "
    "rdpmc rdmsr wrmsr rdpkru wrpkru rdfsbase* rdgsbase* wrfsbase* wrgsbase* swapgs "
    "lsl* lar* sldt* str* smsw* monitor* mwait* umonitor* umwait* tpause* clzero xbegin xend "
    "xabort xtest xacquire xrelease hlt cli sti enqcmd* movdir* xsetbv vmcall vmmcall data16 "
    "addr32 cs ds es fs gs ss";

/* The same if no operands are written; with registers as operands they are something else. */
static const char strings[] =
    "movsb movsw movsl movsd movsq cmpsb cmpsw cmpsl cmpsd cmpsq stos* lods* scas* ins* outs*";

static bool is_register(const char *operand, size_t length) {
    return *operand == '%' && !memchr(operand, '(', length) && !memchr(operand, ':', length);
}

/* "1b", "2f", ".L3": inside this piece of assembly, or this function. */
static bool is_label(const char *operand, size_t length) {
    while (length && isspace((unsigned char)operand[length - 1])) {
        length--;
    }
    size_t digits = strspn(operand, "0123456789");
    return text_starts(operand, ".L") ||
           (digits && digits + 1 == length && strchr("bf", operand[digits]));
}

static bool jumps(const char *word) {
    return *word == 'j' || text_starts(word, "loop");
}

/* "lock; addl $0, (%rsp)": the old form of a fence. */
static bool is_old_fence(const char *word, const char *operands) {
    const char *comma = strchr(operands, ',');
    return (text_starts(word, "add") || text_starts(word, "or")) && comma &&
           (text_starts(operands, "$0,") || text_starts(operands, "$0x0,")) &&
           strstr(comma, "(%rsp)") && !strstr(comma, ":");
}

static bool only_registers(const char *word, const char *operands) {
    for (const char *at = operands; *at;) {
        size_t length = strcspn(at, ",");
        if (*at != '$' && !is_register(at, length) && !(jumps(word) && is_label(at, length))) {
            return false;
        }
        at += length;
        at += strspn(at, ", \t");
    }
    return true;
}

/* An instruction that only computes, in registers; or an old fence. */
static bool only_computes(const char *text, size_t length, const char *operands) {
    return isalpha((unsigned char)*text) && !text_is_listed(text, length, special) &&
           (*operands || !text_is_listed(text, length, strings)) &&
           (only_registers(text, operands) || is_old_fence(text, operands));
}

/* xgetbv, pause, endbr64, lfence, mfence, sfence and nops: written as bytes for assemblers that did
 * not know them. */
static const char encodings[] =
    "0f01d0 f390 f30f1efa 0faee8 0faef0 0faef8 90 6690 0f1f00 0f1f4000 0f1f440000 660f1f440000";

/* ".byte 0x0f, 0x01, 0xd0" */
static bool is_encoding(const char *directive, size_t length, const char *operands) {
    char digits[2 * ENCODING_SIZE + 1];
    size_t count = 0;
    bool more = length == strlen(".byte") && text_starts(directive, ".byte");
    for (const char *at = operands; more; at++) {
        char *end;
        unsigned long byte = strtoul(at, &end, 0);
        if (end == at || byte > 255 || count == ENCODING_SIZE) {
            return false;
        }
        snprintf(digits + 2 * count++, 3, "%02lx", byte);
        at = end + strspn(end, " \t");
        more = *at == ',';
    }
    return count && text_is_listed(digits, 2 * count, encodings);
}

#else

static bool is_encoding(const char *directive, size_t length, const char *operands) {
    (void)directive, (void)length, (void)operands;
    return false;
}

/* Of other processors only the instructions in the list are known. */
static bool only_computes(const char *text, size_t length, const char *operands) {
    (void)text, (void)length, (void)operands;
    return false;
}

#endif

/* Data is an instruction in disguise. */
static const char data_directives[] =
    ".byte .word .hword .short .long .int .quad .octa .inst* .insn .incbin .2byte .4byte .8byte";

bool instruction_is_harmless(const char *text, bool macros) {
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t");
    const char *operands = text + length + strspn(text + length, " \t");
    if (!length) {
        return true;
    }
    if (*text == '.') {
        return !text_is_listed(text, length, data_directives) ||
               is_encoding(text, length, operands);
    }
    if (text_is_listed(text, length, "rep repz lock") && *operands) { /* "rep nop" is a pause */
        return text_starts(operands, "nop") ||
               (*text == 'l' && instruction_is_harmless(operands, macros));
    }
    if (text_is_listed(text, length, harmless)) {
        return true; /* "rep; nop": what follows is judged alone */
    }
    return !macros && only_computes(text, length, operands);
}

bool instruction_is_elsewhere(const char *text, bool *elsewhere) {
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t\n");
    const char *flags = strchr(text, '"');
    if (text_is_listed(text, length,
                       ".previous .popsection .text")) { /* clang writes .text for both */
        bool was = *elsewhere;
        *elsewhere = false;
        return was;
    }
    if (text_is_listed(text, length, ".section .pushsection") && flags) {
        *elsewhere = !memchr(flags, 'x', 1 + strcspn(flags + 1, "\""));
    }
    return *elsewhere;
}

size_t instruction_name(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (text[length] && strchr("_.$", text[length]))) {
        length++;
    }
    return length;
}

size_t instruction_label(const char *text) {
    size_t blank = strspn(text, " \t"), name = instruction_name(text + blank);
    return name && text[blank + name] == ':' ? blank + name + 1 : 0;
}

static char *after_labels(char *text) {
    for (size_t length; (length = instruction_label(text));) {
        text += length;
    }
    return text;
}

/* A comment that is not closed stays: nobody will take it for an instruction. */
static void blank_comments(char *line) {
    for (char *open = line; (open = strstr(open, "/*"));) {
        char *close = strstr(open + 2, "*/");
        if (!close) {
            return;
        }
        memset(open, ' ', (size_t)(close + 2 - open));
    }
}

void instructions_in_line(char *line, void (*visit)(void *, char *), void *context) {
    bool quoted = false;
    char *start = line;
    blank_comments(line);
    for (char *at = line;; at++) {
        char c = *at;
        if (c == '"' && (at == line || at[-1] != '\\')) {
            quoted = !quoted;
        }
        if (c == '\0' || (!quoted && (c == '\n' || c == '#' || c == ';'))) {
            *at = '\0';
            visit(context, after_labels(start));
            start = at + 1;
            if (c != ';') {
                return;
            }
        }
    }
}
