#include "report/string_pool.h"

#include <string.h>

#include "base/bytes.h"

typedef struct wanted_string {
    const text *pool;
    const char *string;
} wanted_string;

static bool is_string(const void *context, uint32_t start) {
    const wanted_string *w = context;
    return strcmp(text_string(w->pool) + start, w->string) == 0;
}

/* The string is appended, and removed again if it is not new. */
uint32_t string_pool_add(text *pool, hash_index *starts, const char *string) {
    uint32_t start = text_length(pool);
    text_append_clean(pool, string);
    uint32_t length = text_length(pool) - start;
    text_append_bytes(pool, "", 1);
    wanted_string wanted = {pool, text_string(pool) + start};
    uint32_t hash = hash_index_fold(bytes_checksum(wanted.string, length));
    uint32_t known = hash_index_find(starts, hash, is_string, &wanted);
    if (known != HASH_INDEX_NONE) {
        pool->characters.count = start;
        return known;
    }
    hash_index_add(starts, hash, start);
    return start;
}
