#include "cli/texts.h"

#include <string.h>

void text_put_raw(bytes *out, const char *string) {
    size_t length = strlen(string);
    bytes_put_number(out, length);
    for (size_t i = 0; i < length; i++) {
        vector_push(&out->content, (unsigned char)string[i]);
    }
}

void texts_put(bytes *out, const text_list *list) {
    bytes_put_number(out, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        text_put_raw(out, text_string(&vector_at(list, i)));
    }
}

void text_take_raw(byte_reader *r, text *out) {
    byte_reader block = bytes_take_block(r);
    size_t length = (size_t)(block.end - block.at);
    if (memchr(block.at, '\0', length)) {
        r->failed = true;
    } else {
        text_append_bytes(out, (const char *)block.at, (uint32_t)length);
    }
}

void texts_take(byte_reader *r, text_list *list) {
    bytes_take_texts(r, text_take_raw, list);
}
