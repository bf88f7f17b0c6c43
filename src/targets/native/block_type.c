#include "targets/native/block_type.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vector.h"
#include "targets/native/operand.h"
#include "targets/native/types.h"

/* ---- the line of the source ---- */

static const char *skip(const char *text, const char *what) {
    return text + strspn(text, what);
}

/* The last "=" before `end`, if it assigns. */
static const char *find_assignment(const char *line, const char *end) {
    for (const char *at = end; at-- > line;) {
        if (*at == '=' && at[1] != '=' && (at == line || !strchr("=!<>+-*/|&", at[-1]))) {
            return at;
        }
    }
    return NULL;
}

static const char *find_word(const char *line) {
    static const char *const words[] = {"alloc", "sizeof", "dup"};
    const char *first = NULL;
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(line, words[i]);
        first = at && (!first || at < first) ? at : first;
    }
    return first;
}

/* Where the call begins, of several in the line: in its column, if it is known. A macro's name may
 * be all that there is of it. */
static const char *find_call(const char *line, uint32_t column) {
    const char *at = column && column <= strlen(line) ? line + column - 1 : line;
    while (at > line && text_is_name_part(at[-1])) {
        at--;
    }
    return find_word(at) || !find_word(line) ? at : line;
}

/* What the result of the call is assigned to: "q" of "struct queue *q = malloc(sizeof *q)". */
static bool find_variable(const char *line, const char *from, char *name) {
    const char *word = find_word(from);
    const char *end = find_assignment(line, word ? word : from);
    if (!end) {
        return false;
    }
    while (end > line && end[-1] == ' ') {
        end--;
    }
    const char *start = operand_start(line, end);
    if (end - start >= OPERAND_SIZE) {
        return false; /* a part of it might be the name of something else */
    }
    snprintf(name, OPERAND_SIZE, "%.*s", (int)(end - start), start);
    return start < end && (isalpha((unsigned char)*start) || *start == '_');
}

/* What sizeof is asked about: "sizeof *q", "sizeof(*q)", "sizeof(struct node)", "sizeof(node)". */
typedef struct asked {
    uint32_t stars; /* what the variable points to, not a type */
    bool structure; /* a tag of a struct or union, not a name of a type */
    char name[OPERAND_SIZE];
} asked;

static bool find_asked(const char *line, asked *a) {
    char word[OPERAND_SIZE];
    const char *at = strstr(line, "sizeof");
    if (!at) {
        return false;
    }
    at = skip(at + strlen("sizeof"), " (");
    a->stars = 0;
    for (const char *star = at; *star == '*' || *star == ' '; star++) {
        a->stars += *star == '*';
    }
    at = operand_take_word(skip(at, "* "), word);
    a->structure = strcmp(word, "struct") == 0 || strcmp(word, "union") == 0;
    if (a->structure) {
        at = operand_take_word(skip(at, " "), word);
    }
    at = skip(at, " ");
    snprintf(a->name, sizeof a->name, "%s", word);
    return *word && strchr(a->stars ? ");," : ")", *at) != NULL;
}

static bool find_type(Dwarf_Die *found, const asked *a, Dwarf_Die *type) {
    if (a->structure) {
        *type = *found;
        return true;
    }
    bool good = type_of_die(found, type);
    for (uint32_t i = 0; i < a->stars && good; i++) {
        Dwarf_Die pointer = *type;
        good = type_is_pointer(&pointer) && type_of_die(&pointer, type);
    }
    return good;
}

/* What the operand, a pointer, points to. */
static bool find_pointee(Dwarf_Die *unit, Dwarf_Addr code, const char *words, Dwarf_Die *type) {
    operand o;
    return operand_resolve(unit, code, words, &o) && type_is_pointer(&o.type) &&
           type_of_die(&o.type, type);
}

static bool find_asked_type(Dwarf_Die *unit, Dwarf_Addr code, const asked *a, Dwarf_Die *type) {
    Dwarf_Die found;
    enum operand_sort sort = a->stars       ? OPERAND_VARIABLE
                             : a->structure ? OPERAND_STRUCT
                                            : OPERAND_TYPE_NAME;
    return operand_find(unit, code, sort, a->name, &found) && find_type(&found, a, type);
}

/* By what sizeof is asked about, or by the pointer that gets the address. */
static void resolve(symbolizer *s, uintptr_t return_address, block_type *b) {
    char line[OPERAND_LINE_SIZE];
    asked a;
    Dwarf_Die unit;
    Dwarf_Addr code = return_address - 1;
    if (!operand_line(s, return_address, line) || !symbolizer_unit(s, &code, &unit)) {
        return;
    }
    const char *from = find_call(line, symbolizer_column(s, return_address));
    b->variable = find_variable(line, from, b->name);
    bool by_size = find_asked(from, &a) && find_asked_type(&unit, code, &a, &b->type);
    if (!by_size && !(b->variable && find_pointee(&unit, code, b->name, &b->type))) {
        return;
    }
    b->size = type_size(&b->type);
    b->known = b->size != 0;
    b->open = type_is_open(&b->type);
    if (!b->variable) {
        snprintf(b->name, sizeof b->name, "%s%s", a.structure ? "struct " : "", a.name);
        b->known = b->known && !a.stars;
    }
}

/* ---- remembered ---- */

static VECTOR(block_type *) remembered;

void block_type_forget(void) {
    for (uint32_t i = 0; i < remembered.count; i++) {
        memory_resize(vector_at(&remembered, i), sizeof(block_type), 0);
    }
    vector_free(&remembered);
}

const block_type *block_type_find(symbolizer *s, uintptr_t return_address) {
    block_type *b = NULL;
    for (uint32_t i = 0; i < remembered.count && !b; i++) {
        block_type *known = vector_at(&remembered, i);
        b = known->return_address == return_address ? known : NULL;
    }
    if (!b && s) {
        b = memory_resize(NULL, 0, sizeof *b);
        *b = (block_type){.return_address = return_address};
        resolve(s, return_address, b);
        vector_push(&remembered, b);
    }
    return b && b->known ? b : NULL;
}
