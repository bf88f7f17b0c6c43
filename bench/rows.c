#include "bench/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"

static const char *const kind_words[] = {[ROW_ABSTRACT] = "abstract", [ROW_NATIVE] = "native"};

const char *row_kind_word(enum row_kind kind) {
    return kind_words[kind];
}

/* ---- reading ---- */

static char *trim(char *s) {
    s += strspn(s, " \t");
    for (size_t length = strlen(s); length && strchr(" \t", s[length - 1]); length--) {
        s[length - 1] = '\0';
    }
    return s;
}

enum { FIELD_COUNT = 6 };

/* name | abstract | C | definitions | traces [| large] */
static bool parse_row(char *line, row *r) {
    char *fields[FIELD_COUNT] = {0};
    uint32_t count = 0;
    for (char *rest = line; rest && count < FIELD_COUNT;) {
        fields[count++] = trim(strsep(&rest, "|"));
    }
    if (count < FIELD_COUNT - 1) {
        return false;
    }
    *r = (row){.name = fields[0], .large = fields[5] && strcmp(fields[5], "large") == 0};
    if (strcmp(fields[1], "-") != 0) {
        text_format(&r->files[ROW_ABSTRACT], "bench/programs/%s.heddle", fields[1]);
    }
    if (strcmp(fields[2], "-") != 0) {
        text_format(&r->files[ROW_NATIVE], "bench/c/%s.c", fields[2]);
    }
    for (char *word, *rest = fields[3]; (word = strsep(&rest, " "));) {
        if (strncmp(word, "-D", 2) == 0) {
            vector_push(&r->definitions, word + 2);
        }
    }
    r->counts = fields[4];
    r->traces = strtoull(fields[4], NULL, 10);
    return r->traces != 0;
}

bool rows_read(row_table *t, const char *file, text *message) {
    *t = (row_table){0};
    if (!file_read(file, &t->contents, message)) {
        return false;
    }
    uint32_t number = 0;
    for (char *line, *rest = t->contents.characters.items; (line = strsep(&rest, "\n"));) {
        row r;
        number++;
        line = trim(line);
        if (!*line || *line == '#') {
            continue;
        }
        if (!parse_row(line, &r)) {
            text_format(message, "%s:%u: expected program | abstract | C | definitions | traces",
                        file, number);
            return false;
        }
        vector_push(&t->rows, r);
    }
    return true;
}

void rows_free(row_table *t) {
    for (uint32_t i = 0; i < t->rows.count; i++) {
        for (enum row_kind kind = 0; kind < ROW_KIND_COUNT; kind++) {
            text_free(&vector_at(&t->rows, i).files[kind]);
        }
        vector_free(&vector_at(&t->rows, i).definitions);
    }
    vector_free(&t->rows);
    text_free(&t->contents);
}

/* ---- asking ---- */

bool row_is_named(const row *r, const char *name) {
    size_t length = strlen(name);
    return strncmp(r->name, name, length) == 0 &&
           (r->name[length] == '\0' || r->name[length] == '(');
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++) {
        if (strcmp(name, *names) == 0) {
            return true;
        }
    }
    return false;
}

/* What that algorithm explores; 0: not known. */
static uint64_t known_count(const row *r, const char *algorithm) {
    size_t length = strlen(algorithm);
    for (const char *at = r->counts; (at = strchr(at, ' '));) {
        at++;
        if (strncmp(at, algorithm, length) == 0 && at[length] == ':') {
            return strtoull(at + length + 1, NULL, 10);
        }
    }
    return 0;
}

const char *row_complaint(const row *r, const char *algorithm, uint64_t executions,
                          uint64_t blocked) {
    static const char *const exact[] = {"pop", "optimal", "graph", NULL};
    static const char *const larger[] = {"source", "classic", "none", NULL};
    static char complaint[80];
    if (is_one_of(algorithm, exact)) {
        if (executions == r->traces && !blocked) {
            return NULL;
        }
        snprintf(complaint, sizeof complaint, "expected %llu and 0 blocked",
                 (unsigned long long)r->traces);
    } else if (is_one_of(algorithm, larger)) {
        if (executions >= r->traces) {
            return NULL;
        }
        snprintf(complaint, sizeof complaint, "expected at least %llu",
                 (unsigned long long)r->traces);
    } else {
        uint64_t known = known_count(r, algorithm);
        if (!known || executions == known) {
            return NULL;
        }
        snprintf(complaint, sizeof complaint, "expected %llu", (unsigned long long)known);
    }
    return complaint;
}
