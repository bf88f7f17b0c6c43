#include "report/writers/paragraph.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/* The columns of the first `length` bytes. */
static uint32_t columns_of(const char *word, uint32_t length) {
    uint32_t all = 0, columns;
    for (uint32_t i = 0; i < length;) {
        i += text_character(word + i, &columns);
        all += columns;
    }
    return all;
}

void paragraph_continue(const char *words, uint32_t column, uint32_t first, uint32_t indent,
                        uint32_t width, FILE *out) {
    bool begun = false;
    if (column > 0 && column >= first) {
        fputc('\n', out);
        column = 0;
    }
    words += strspn(words, " ");
    while (*words) {
        uint32_t length = (uint32_t)strcspn(words, " "), columns = columns_of(words, length);
        bool fits = !begun || column + 1 + columns <= width;
        if (!fits) {
            fputc('\n', out);
            column = 0;
        }
        uint32_t start = !begun ? first : fits ? column + 1 : indent;
        fprintf(out, "%*s%.*s", (int)(start - column), "", (int)length, words);
        column = start + columns;
        words += length + strspn(words + length, " ");
        begun = true;
    }
    fputc('\n', out);
}

void paragraph_hanging(const char *words, uint32_t indent, uint32_t width, FILE *out) {
    paragraph_continue(words, 0, indent, indent + 2, width, out);
}

void paragraph_print(const char *words, uint32_t indent, uint32_t width, FILE *out) {
    paragraph_continue(words, 0, indent, indent, width, out);
}
