#define _GNU_SOURCE
#include "targets/native/frame_rules.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash_index.h"
#include "targets/runtime/memory/own_frames.h"

typedef struct known_rule {
    uintptr_t code;
    bool good;
    frame_rule rule;
} known_rule;

static struct {
    bool read;
    int file;
    Elf *elf;
    Dwarf_CFI *tables;
    uintptr_t bias; /* of heddle's code in memory */
    hash_index index;
    VECTOR(known_rule) known;
} rules;

#ifdef __x86_64__
enum { FRAME_POINTER = 6, STACK_POINTER = 7 }; /* numbers of the registers */

/* The program that runs is the first of all. */
static int find_bias(struct dl_phdr_info *object, size_t size, void *bias) {
    (void)size;
    *(uintptr_t *)bias = object->dlpi_addr;
    return 1;
}

static void read_tables(void) {
    rules.read = true;
    elf_version(EV_CURRENT);
    rules.file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    rules.elf = rules.file >= 0 ? elf_begin(rules.file, ELF_C_READ_MMAP, NULL) : NULL;
    rules.tables = rules.elf ? dwarf_getcfi_elf(rules.elf) : NULL;
    dl_iterate_phdr(find_bias, &rules.bias);
}

/* The end of the frame is a register and a number. */
static bool read_size(Dwarf_Frame *frame, frame_rule *rule) {
    Dwarf_Op *operations;
    size_t count;
    if (dwarf_frame_cfa(frame, &operations, &count) != 0 || count != 1 ||
        operations->atom != DW_OP_bregx) {
        return false;
    }
    rule->by_frame_pointer = operations->number == FRAME_POINTER;
    rule->size = (intptr_t)operations->number2;
    return rule->by_frame_pointer || operations->number == STACK_POINTER;
}

/* The frame pointer is in its register, or in memory at a distance from that end. */
static bool read_saved(Dwarf_Frame *frame, frame_rule *rule) {
    Dwarf_Op memory[3], *operations;
    size_t count;
    if (dwarf_frame_register(frame, FRAME_POINTER, memory, &operations, &count) != 0) {
        return false;
    }
    rule->saves = count != 0;
    rule->saved = count > 1 ? (intptr_t)operations[1].number : 0;
    return !count || (operations->atom == DW_OP_call_frame_cfa &&
                      (count == 1 || (count == 2 && operations[1].atom == DW_OP_plus_uconst)));
}

static bool read_rule(uintptr_t code, frame_rule *rule) {
    Dwarf_Frame *frame = NULL;
    if (!rules.tables || dwarf_cfi_addrframe(rules.tables, code - rules.bias, &frame) != 0) {
        return false;
    }
    bool good = read_size(frame, rule) && read_saved(frame, rule);
    free(frame);
    return good;
}

static bool has_code(const void *code, uint32_t number) {
    return vector_at(&rules.known, number).code == *(const uintptr_t *)code;
}

static bool find_rule(uintptr_t code, frame_rule *rule) {
    uint32_t hash = hash_index_fold(hash_index_mix(HASH_INDEX_SEED, code));
    uint32_t number = hash_index_find(&rules.index, hash, has_code, &code);
    if (number == HASH_INDEX_NONE) {
        known_rule made = {.code = code};
        if (!rules.read) {
            read_tables();
        }
        made.good = read_rule(code, &made.rule);
        number = rules.known.count;
        vector_push(&rules.known, made);
        hash_index_add(&rules.index, hash, number);
    }
    *rule = vector_at(&rules.known, number).rule;
    return vector_at(&rules.known, number).good;
}
#endif

void frame_rules_open(void) {
#ifdef __x86_64__
    own_frames_rule = find_rule;
#endif
}

void frame_rules_close(void) {
    own_frames_rule = NULL;
    if (rules.tables) {
        dwarf_cfi_end(rules.tables);
    }
    if (rules.elf) {
        elf_end(rules.elf);
    }
    if (rules.read && rules.file >= 0) {
        close(rules.file);
    }
    hash_index_free(&rules.index);
    vector_free(&rules.known);
    memset(&rules, 0, sizeof rules);
}
