#include "targets/native/locals.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "targets/native/frames.h"
#include "targets/native/types.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/memory/space.h"

enum { MOST_FRAMES = 256 };

#if defined(__x86_64__)
enum { FRAME_POINTER_ATOM = DW_OP_reg6, SAVED_BELOW_TOP = 16 };
#else
enum { FRAME_POINTER_ATOM = DW_OP_reg29, SAVED_BELOW_TOP = 16 };
#endif

/* What offsets of variables are counted from; gcc has the frame's top, clang the frame pointer. */
static bool find_base(Dwarf_Die *function, const frame *f, uintptr_t *base) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (!dwarf_attr(function, DW_AT_frame_base, &attribute) ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) {
        return false;
    }
    *base = f->top - (operations[0].atom == FRAME_POINTER_ATOM ? SAVED_BELOW_TOP : 0);
    return operations[0].atom == FRAME_POINTER_ATOM || operations[0].atom == DW_OP_call_frame_cfa;
}

/* A place in the frame, or what is kept there: the address or the bound of an array whose size is
 * not known before the program runs. */
static bool evaluate(Dwarf_Die *die, unsigned name, uintptr_t base, uint64_t *value, bool *kept) {
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (!dwarf_attr(die, name, &attribute) ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count < 1 || count > 2 ||
        operations[0].atom != DW_OP_fbreg || (count == 2 && operations[1].atom != DW_OP_deref)) {
        return false;
    }
    *value = base + operations[0].number;
    *kept = count == 2;
    if (*kept && space_readable(*value, sizeof *value)) {
        memcpy(value, (const void *)(uintptr_t)*value, sizeof *value);
    }
    return true;
}

/* Of "int rows[n][3]"; 0 if not only the first bound is known late. */
static uint64_t varying_size(Dwarf_Die *type, uintptr_t base) {
    Dwarf_Die element, range;
    Dwarf_Attribute attribute;
    uint64_t bound;
    bool kept, first = true;
    uint64_t size = type_of_die(type, &element) ? type_size(&element) : 0;
    if (dwarf_tag(type) != DW_TAG_array_type || dwarf_child(type, &range) != 0) {
        return 0;
    }
    do {
        Dwarf_Word constant;
        if (dwarf_formudata(dwarf_attr(&range, DW_AT_upper_bound, &attribute), &constant) == 0) {
            bound = constant;
        } else if (!first || !evaluate(&range, DW_AT_upper_bound, base, &bound, &kept)) {
            return 0;
        }
        size *= bound + 1;
        first = false;
    } while (dwarf_siblingof(&range, &range) == 0);
    return size;
}

static bool is_at(Dwarf_Die *die, uintptr_t base, uintptr_t address, local_variable *v) {
    int tag = dwarf_tag(die);
    Dwarf_Die type;
    bool kept;
    if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !dwarf_diename(die) ||
        !evaluate(die, DW_AT_location, base, &v->address, &kept) || !type_of_die(die, &type)) {
        return false;
    }
    v->size = kept ? varying_size(&type, base) : type_size(&type);
    v->die = *die;
    return address - v->address < v->size;
}

static bool find_in_scope(Dwarf_Die *scope, uintptr_t base, uintptr_t address, local_variable *v) {
    Dwarf_Die child;
    bool found = false;
    if (dwarf_child(scope, &child) == 0) {
        do {
            found = is_at(&child, base, address, v);
        } while (!found && dwarf_siblingof(&child, &child) == 0);
    }
    return found;
}

/* From the innermost scope of the code outwards, up to the function. */
static bool find_in_frame(symbolizer *s, const frame *f, uintptr_t address, local_variable *v,
                          const char **function) {
    Dwarf_Die unit, *scopes = NULL;
    Dwarf_Addr code = f->code;
    uintptr_t base;
    bool found = false;
    int count = symbolizer_unit(s, &code, &unit) ? dwarf_getscopes(&unit, code, &scopes) : 0;
    int last = 0;
    while (last < count && dwarf_tag(&scopes[last]) != DW_TAG_subprogram) {
        last++;
    }
    if (last < count && find_base(&scopes[last], f, &base)) {
        for (int i = 0; i <= last && !found; i++) {
            found = find_in_scope(&scopes[i], base, address, v);
        }
        *function = dwarf_diename(&scopes[last]);
    }
    free(scopes);
    return found;
}

/* Frames further out that are of the same function. */
static uint32_t count_calls(symbolizer *s, const frame *frames, uint32_t count,
                            const char *function) {
    uint32_t calls = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = symbolizer_function(s, frames[i].code);
        calls += name && function && strcmp(name, function) == 0;
    }
    return calls;
}

bool locals_find(symbolizer *s, const runtime_thread *t, uintptr_t address, local_variable *v) {
    frame frames[MOST_FRAMES];
    const char *function = NULL;
    if (address - t->tls < space.tls_size) {
        bool found = symbolizer_thread_local(s, address - t->tls, &v->address, &v->size, &v->die);
        v->address += t->tls;
        v->depth = 0;
        return found;
    }
    uint32_t count = s ? frames_of(symbolizer_modules(s), t, frames, MOST_FRAMES) : 0;
    for (uint32_t i = 0; i < count; i++) {
        if (address < frames[i].top) { /* frames further out lie higher */
            bool found = find_in_frame(s, &frames[i], address, v, &function);
            v->depth = found ? count_calls(s, frames + i + 1, count - i - 1, function) : 0;
            return found;
        }
    }
    return false;
}

uint32_t locals_stack(symbolizer *s, const runtime_thread *t, uint32_t *locations, uint32_t most) {
    frame frames[MOST_FRAMES];
    uint32_t count = s ? frames_of(symbolizer_modules(s), t, frames, MOST_FRAMES) : 0, found = 0;
    for (uint32_t i = 0; i < count && found < most; i++) {
        if (frames[i].code - space.text_low < space.text_size) {
            locations[found++] = location_of((const void *)(frames[i].code + 1));
        }
    }
    return found;
}
