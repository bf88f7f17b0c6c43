#include "report/writers/source.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

void source_free(source *s) {
    for (uint32_t i = 0; i < s->files.count; i++) {
        text_free(&vector_at(&s->files, i).name);
        text_free(&vector_at(&s->files, i).contents);
    }
    vector_free(&s->files);
}

static void add(source *s, const char *name, const char *contents) {
    source_file f = {0};
    text_append(&f.name, name);
    text_append(&f.contents, contents);
    vector_push(&s->files, f);
}

static void read_into(const char *name, text *out) {
    FILE *file = fopen(name, "r");
    char buffer[4096];
    size_t count;
    while (file && (count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        text_append_bytes(out, buffer, (uint32_t)count);
    }
    if (file) {
        fclose(file);
    }
}

const char *source_text(source *s, const char *name) {
    for (uint32_t i = 0; i < s->files.count; i++) {
        if (strcmp(text_string(&vector_at(&s->files, i).name), name) == 0) {
            return text_string(&vector_at(&s->files, i).contents);
        }
    }
    text contents = {0};
    read_into(name, &contents);
    add(s, name, text_string(&contents));
    text_free(&contents);
    return text_string(&vector_last(&s->files).contents);
}

/* Keeps the number of bytes: tabs and other characters that move the cursor become spaces, invalid
 * UTF-8 becomes question marks. */
static void append_plain(const char *line, size_t length, text *out) {
    for (size_t i = 0; i < length;) {
        const unsigned char *at = (const unsigned char *)line + i;
        uint32_t bytes = utf8_length(at);
        if (*at < ' ' || *at == 0x7f) {
            text_append(out, " ");
        } else if (bytes == 0) {
            text_append(out, "?");
        } else if (at[0] == 0xc2 && at[1] < 0xa0) {
            text_append(out, "  ");
        } else {
            text_append_bytes(out, line + i, bytes);
        }
        i += bytes ? bytes : 1;
    }
}

uint32_t source_line(source *s, const char *file, uint32_t line, text *out) {
    const char *at = source_text(s, file);
    for (uint32_t i = 1; i < line && at; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at || line == 0) {
        return 0;
    }
    uint32_t indent = (uint32_t)strspn(at, " \t");
    at += indent;
    size_t length = strcspn(at, "\r\n");
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) {
        length--;
    }
    append_plain(at, length, out);
    return indent;
}

uint32_t source_at(source *s, const finding *f, uint32_t place, uint32_t *line, text *out) {
    const char *file;
    uint32_t start = text_length(out);
    if (f->nameless || !finding_locate(f, place, &file, line)) {
        return 0;
    }
    uint32_t indent = source_line(s, file, *line, out), length = text_length(out) - start;
    uint32_t column = finding_column(f, place);
    return column > indent && column - 1 - indent < length ? column - 1 - indent : 0;
}
