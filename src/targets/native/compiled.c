#include "targets/native/compiled.h"

#include <string.h>

#include "base/text.h"
#include "targets/native/lines.h"

typedef struct editor {
    line_editor base;
    text names; /* as directives */
} editor;

static void edit(line_editor *base, char *line) {
    editor *e = (editor *)base;
    if (!line) {
        fprintf(base->out, "\t.section " COMPILED_SECTION ",\"\",%%progbits\n\t.string \"\"\n%s",
                text_string(&e->names));
        base->changed = true;
        return;
    }
    fputs(line, base->out);
    const char *word = line + strspn(line, " \t");
    size_t length = strcspn(word, " \t\n");
    if (text_is_listed(word, length, ".globl .global .weak")) {
        const char *name = word + length + strspn(word + length, " \t");
        text_format(&e->names, "\t.string \"%.*s\"\n", (int)strcspn(name, " \t,;\"#\n"), name);
    }
}

bool compiled_edit(const char *assembly) {
    editor e = {.base.edit = edit};
    bool good = lines_edit(&e.base, assembly);
    text_free(&e.names);
    return good;
}
