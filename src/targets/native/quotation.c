#include "targets/native/quotation.h"

#include <ctype.h>
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

/* Not in the middle of a character of UTF-8. */
static bool may_end_before(char c) {
    return (c & 0xc0) != 0x80;
}

bool quotation(const char *text, size_t most, char *words, size_t size) {
    size_t length = strnlen(text, most), shown = 0;
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
