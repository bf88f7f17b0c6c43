/* What the program has read from outside (base/inputs.h). */
#include "base/inputs.h"

#include "targets/native/native.h"
#include "targets/runtime/libc/contents.h"
#include "targets/runtime/libc/variables.h"

/* Neither variables nor contents change: lines are made once. */
static text_list lines;
static uint32_t variables_done, contents_done;
static bool environment_done;

static void add(const text *line) {
    vector_push(&lines, *line);
}

static void add_content(const file_content *c) {
    text line = {0};
    if (c->now || c->directory || c->unsupported) {
        return;
    }
    if (c->path[0]) {
        input_of_file(&line, c->path, c->error, c->data, c->size);
    } else {
        input_of_standard(&line, c->data, c->size);
    }
    add(&line);
}

static void add_new_lines(void) {
    const char *name;
    while ((name = variables_asked(variables_done))) {
        text line = {0};
        input_of_variable(&line, name);
        add(&line);
        variables_done++;
    }
    if (!environment_done && variables_are_shown()) {
        text line = {0};
        input_of_environment(&line);
        add(&line);
        environment_done = true;
    }
    while (contents_done < contents_count()) {
        add_content(contents_at(++contents_done));
    }
}

void native_inputs(void (*note)(void *context, const char *line), void *context) {
    add_new_lines();
    for (uint32_t i = 0; i < lines.count; i++) {
        note(context, text_string(&vector_at(&lines, i)));
    }
}
