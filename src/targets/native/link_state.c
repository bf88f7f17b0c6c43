#include "targets/native/link_state.h"

#include <string.h>

static const char passed_on[] = "-Wl,";

static void follow(link_state *s, const char *option, size_t length) {
    if (text_is_listed(option, length, "--whole-archive -whole-archive")) {
        s->now.whole = true;
    } else if (text_is_listed(option, length, "--no-whole-archive -no-whole-archive")) {
        s->now.whole = false;
    } else if (text_is_listed(option, length, "-Bstatic -dn -non_shared -static")) {
        s->now.archives = true;
    } else if (text_is_listed(option, length, "-Bdynamic -dy -call_shared")) {
        s->now.archives = false;
    } else if (text_is(option, length, "--push-state") && s->depth < LINK_STATES) {
        s->saved[s->depth++] = s->now;
    } else if (text_is(option, length, "--pop-state") && s->depth) {
        s->now = s->saved[--s->depth];
    }
}

void link_state_follow(link_state *s, const char *word) {
    const char *list = text_after(word, passed_on);
    for (const char *at = list; at && *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, ",");
        follow(s, at, length);
        at += length;
    }
    if (!list) {
        follow(s, word, strlen(word)); /* after -Xlinker */
    }
}

/* An option of the linker whose argument may be the name of an archive that is not linked there. */
static bool takes_name(const char *option, size_t length) {
    return text_is_listed(option, length, "--exclude-libs -soname -h -o --out-implib");
}

static bool is_archive(const char *name, size_t length) {
    return length > 2 && name[0] != '-' && memcmp(name + length - 2, ".a", 2) == 0;
}

void link_state_split(text_list *words, const char *word) {
    const char *list = text_after(word, passed_on);
    text options = {0};
    bool named = false;
    for (const char *at = list; at && *at; at += strspn(at, ",")) {
        size_t length = strcspn(at, ",");
        if (is_archive(at, length) && !named) {
            if (text_length(&options)) {
                texts_add(words, text_string(&options));
                text_clear(&options);
            }
            text archive = {0};
            text_append_bytes(&archive, at, (uint32_t)length);
            vector_push(words, archive);
        } else {
            text_append(&options, text_length(&options) ? "," : passed_on);
            text_append_bytes(&options, at, (uint32_t)length);
        }
        named = takes_name(at, length);
        at += length;
    }
    if (!list || text_length(&options)) {
        texts_add(words, list ? text_string(&options) : word);
    }
    text_free(&options);
}
