#include "targets/native/quotation.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { QUOTED_MOST = 40 };

/* One character; false if it belongs to no text. Those of UTF-8 stay as they are. */
static bool append(char c, char *words, size_t size) {
    static const char names[] = "\nn\tt\rr\"\"\\\\";
    size_t used = strlen(words);
    for (const char *name = names; *name; name += 2) {
        if (c == *name) {
            snprintf(words + used, size - used, "\\%c", name[1]);
            return true;
        }
    }
    snprintf(words + used, size - used, "%c", c);
    return isprint((unsigned char)c) || (c & 0x80);
}

/* The bytes that the character of UTF-8 has after its first one, or more than there are. */
static size_t following(unsigned char first) {
    return first < 0x80 ? 0 : first < 0xc2 ? SIZE_MAX : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/* Every byte belongs to a character; the last one may be cut off. */
static bool is_utf8(const char *text, size_t length) {
    size_t wanted = 0;
    for (size_t i = 0; i < length; i++) {
        bool continues = (text[i] & 0xc0) == 0x80;
        if (continues != (wanted > 0)) {
            return false;
        }
        wanted = continues ? wanted - 1 : following((unsigned char)text[i]);
        if (wanted > 3 || (unsigned char)text[i] > 0xf4) {
            return false;
        }
    }
    return true;
}

/* Not in the middle of a character of UTF-8. */
static bool may_end_before(char c) {
    return (c & 0xc0) != 0x80;
}

bool quotation(const char *text, size_t most, char *words, size_t size) {
    size_t length = strnlen(text, most), shown = 0;
    if (!is_utf8(text, length)) {
        return false;
    }
    snprintf(words, size, "\"");
    while (shown < length && (shown < QUOTED_MOST || !may_end_before(text[shown]))) {
        if (!append(text[shown++], words, size)) {
            return false;
        }
    }
    size_t used = strlen(words);
    snprintf(words + used, size - used, shown < length ? "...\"" : "\"");
    return true;
}
