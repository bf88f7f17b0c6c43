#include "targets/native/response_file.h"

#include <ctype.h>
#include <stdio.h>

/* Reads a word; false if there are no more. */
static bool read_word(FILE *in, text *word) {
    int c, quote = 0;
    bool any = false;
    while ((c = getc(in)) != EOF && (quote || !isspace(c) || !any)) {
        if (isspace(c) && !quote) {
            continue;
        }
        any = true;
        if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? 0 : c;
            continue;
        }
        if (c == '\\' && quote != '\'' && (c = getc(in)) == EOF) {
            break;
        }
        char byte = (char)c;
        text_append_bytes(word, &byte, 1);
    }
    return any;
}

void response_file_expand(text_list *words, const char *argument, uint32_t depth) {
    FILE *in = argument[0] == '@' && depth ? fopen(argument + 1, "r") : NULL;
    if (!in) {
        texts_add(words, argument);
        return;
    }
    text word = {0};
    while (read_word(in, &word)) {
        response_file_expand(words, text_string(&word), depth - 1);
        text_clear(&word);
    }
    text_free(&word);
    fclose(in);
}
