#include "report/writers/cell.h"

#include <stdbool.h>
#include <string.h>

/* Number of bytes of the characters that fit into that many columns. */
static uint32_t bytes_of(const char *string, uint32_t width) {
    uint32_t length = 0, used = 0, columns;
    while (string[length]) {
        uint32_t bytes = text_character(string + length, &columns);
        if (used + columns > width) {
            break;
        }
        used += columns;
        length += bytes;
    }
    return length;
}

/* The end of the string, as much as fits into that many columns. */
static const char *tail_of(const char *string, uint32_t width) {
    uint32_t left = text_columns(string), columns;
    while (left > width) {
        string += text_character(string, &columns);
        left -= columns;
    }
    for (uint32_t bytes; *string; string += bytes) {
        bytes = text_character(string, &columns);
        if (columns) {
            break; /* a combining mark belongs to the character before it */
        }
    }
    return string;
}

void cell_cut(const char *string, uint32_t width, text *out) {
    if (text_columns(string) <= width) {
        text_append(out, string);
        return;
    }
    text_append_bytes(out, string, bytes_of(string, width > 3 ? width - 3 : 0));
    text_append(out, "...");
}

/* Where the statement of this place begins, as far as one line shows it. */
static uint32_t statement_start(const char *string, uint32_t place) {
    uint32_t start = place;
    while (start > 0 && !strchr(";{}", string[start - 1])) {
        start--;
    }
    return start + (uint32_t)strspn(string + start, " ");
}

void cell_cut_around(const char *string, uint32_t place, uint32_t width, text *out) {
    CHECK(place <= strlen(string));
    if (text_columns(string) > width && width > 12 && place > width / 2) {
        uint32_t start = statement_start(string, place);
        text_append(out, start ? "..." : "");
        string += start;
        width -= start ? 3 : 0;
    }
    cell_cut(string, width, out);
}

void cell_shorten(const char *string, uint32_t width, text *out) {
    uint32_t columns = text_columns(string);
    if (columns <= width || width < 4) {
        text_append(out, string);
        return;
    }
    uint32_t tail = (width - 2) / 2, head = width - 2 - tail;
    text_append_bytes(out, string, bytes_of(string, head));
    text_append(out, "..");
    text_append(out, tail_of(string, tail));
}

const char *cell_line(const char *string, uint32_t width, text *out) {
    text word = {0};
    uint32_t used = 0;
    for (;;) {
        uint32_t length = (uint32_t)strcspn(string, " ");
        text_clear(&word);
        text_append_bytes(&word, string, length);
        uint32_t columns = text_columns(text_string(&word));
        if (used && used + 1 + columns > width) {
            break;
        }
        text_append(out, used ? " " : "");
        cell_shorten(text_string(&word), width, out);
        used += (used != 0) + columns;
        string += length + strspn(string + length, " ");
        if (!*string) {
            break;
        }
    }
    text_free(&word);
    return string;
}
