#define _GNU_SOURCE
#include "targets/runtime/libc/contents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/hash_index.h"
#include "base/memory.h"
#include "base/vector.h"
#include "base/witness.h"
#include "targets/runtime/kernel/runtime.h"

enum { READ_SIZE = 1 << 16, CHANCE_SIZE = 1 << 16 };

static VECTOR(file_content) contents;
static hash_index numbers; /* of those that are kept by what is in them */

static void reserve(file_content *c, size_t size) {
    if (size + 1 > c->capacity) {
        size_t capacity = 2 * size + 1;
        c->data = memory_resize(c->data, c->capacity, capacity);
        c->capacity = capacity;
    }
}

/* The position of the standard input stays where it is, if it has one: another process of heddle's
 * may read it as well. */
static ssize_t read_more(const file_content *c, int descriptor, off_t start) {
    void *place = c->data + c->size;
    return start < 0 ? read(descriptor, place, READ_SIZE)
                     : pread(descriptor, place, READ_SIZE, start + (off_t)c->size);
}

static void read_all(file_content *c, int descriptor) {
    off_t start = lseek(descriptor, 0, SEEK_CUR);
    for (;;) {
        reserve(c, c->size + READ_SIZE);
        ssize_t count = read_more(c, descriptor, start);
        if (count <= 0 && !(count < 0 && errno == EINTR)) {
            c->error = count < 0 ? errno : 0;
            break;
        }
        c->size += count > 0 ? (size_t)count : 0;
    }
    CHECK(c->size < c->capacity);
    c->data[c->size] = 0;
}

/* The bytes of /dev/random: the same each time. */
static void fill_with_chance(file_content *c) {
    uint64_t state = 1;
    reserve(c, CHANCE_SIZE);
    for (c->size = 0; c->size < CHANCE_SIZE; c->size++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        c->data[c->size] = (unsigned char)(state >> 56);
    }
    c->data[c->size] = 0;
}

static void load(file_content *c) {
    int descriptor = c->path[0] ? open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : dup(0);
    if (descriptor < 0 || fstat(descriptor, &c->status) != 0) {
        c->error = errno;
    } else if (strcmp(c->path, "/dev/urandom") == 0 || strcmp(c->path, "/dev/random") == 0) {
        fill_with_chance(c);
    } else if (!c->path[0] && isatty(descriptor)) {
        c->unsupported = "reading from a terminal: redirect the standard input";
    } else if (!c->path[0] && lseek(descriptor, 0, SEEK_CUR) >= 0) {
        read_all(c, descriptor);
    } else if (!c->path[0] && runtime.settings.several) {
        c->unsupported = "reading from a pipe with several workers: use -j 1, or redirect a file";
    } else if (c->path[0] && S_ISDIR(c->status.st_mode)) {
        c->unsupported = "opening a directory";
    } else if (c->path[0] && !S_ISREG(c->status.st_mode) && strcmp(c->path, "/dev/null") != 0) {
        c->unsupported = "opening a file that is not a regular file";
    } else {
        own_status.alone |= !c->path[0];
        read_all(c, descriptor);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
}

static void load_directory(file_content *c) {
    struct dirent **entries;
    int count = scandir(c->path, &entries, NULL, alphasort);
    if (count < 0) {
        c->error = errno;
        return;
    }
    reserve(c, (size_t)count * sizeof **entries);
    for (int i = 0; i < count; i++) {
        struct dirent *entry = (struct dirent *)(c->data + c->size);
        memset(entry, 0, sizeof *entry); /* what libc gives may be shorter */
        memcpy(entry, entries[i], entries[i]->d_reclen);
        entry->d_reclen = sizeof *entry;
        entry->d_off = i + 1;
        c->size += sizeof *entry;
        CHECK(c->size < c->capacity);
        free(entries[i]);
    }
    free(entries);
}

static uint32_t find(const char *path, bool directory) {
    for (uint32_t i = 0; i < contents.count; i++) {
        const file_content *c = &vector_at(&contents, i);
        if (!c->now && c->directory == directory && strcmp(c->path, path) == 0) {
            return i + 1;
        }
    }
    size_t size = strlen(path) + 1;
    file_content fresh = {.path = memcpy(memory_resize(NULL, 0, size), path, size),
                          .directory = directory};
    if (directory) {
        load_directory(&fresh);
    } else {
        load(&fresh);
    }
    vector_push(&contents, fresh);
    return contents.count;
}

uint32_t contents_of(const char *path) {
    return find(path, false);
}

uint32_t contents_of_input(void) {
    return find("", false);
}

static bool is_equal(const void *context, uint32_t index) {
    const file_content *fresh = context, *c = &vector_at(&contents, index);
    CHECK(c->now);
    return c->directory == fresh->directory && c->error == fresh->error && c->size == fresh->size &&
           (!c->size || memcmp(c->data, fresh->data, c->size) == 0) &&
           memcmp(&c->status, &fresh->status, sizeof c->status) == 0;
}

/* Keeps the content, unless an equal one is kept already. Returns its number. */
static uint32_t keep_now(file_content fresh) {
    uint32_t hash = hash_index_fold(bytes_checksum(fresh.data, fresh.size));
    CHECK(fresh.now && (!fresh.size || fresh.size < fresh.capacity));
    uint32_t known = hash_index_find(&numbers, hash, is_equal, &fresh);
    if (known != HASH_INDEX_NONE) {
        memory_resize(fresh.data, fresh.capacity, 0);
        return known + 1;
    }
    fresh.path = memory_resize(NULL, 0, 1);
    fresh.path[0] = '\0';
    hash_index_add(&numbers, hash, contents.count);
    vector_push(&contents, fresh);
    return contents.count;
}

uint32_t contents_now(int descriptor) {
    file_content fresh = {.now = true};
    CHECK(fstat(descriptor, &fresh.status) == 0);
    CHECK(lseek(descriptor, 0, SEEK_SET) == 0); /* only ordinary files are changed */
    read_all(&fresh, descriptor);
    return keep_now(fresh);
}

uint32_t contents_edit(uint32_t number, uint64_t position, const void *data, size_t size) {
    size_t old = number ? contents_at(number)->size : 0, end = (size_t)position + size;
    file_content fresh = {.now = true, .size = size && end > old ? end : old};
    fresh.capacity = fresh.size + 1; /* it does not grow */
    fresh.data = memory_resize(NULL, 0, fresh.capacity);
    memset(fresh.data, 0, fresh.capacity);
    if (old) {
        memcpy(fresh.data, contents_at(number)->data, old);
    }
    memcpy(fresh.data + (size ? position : 0), data, size);
    CHECK(fresh.size < fresh.capacity && fresh.size >= old);
    fresh.status.st_size = (off_t)fresh.size;
    fresh.status.st_mode = S_IFREG | S_IRUSR | S_IWUSR;
    return keep_now(fresh);
}

uint32_t contents_of_directory(const char *path, bool now) {
    if (!now) {
        return find(path, true);
    }
    file_content fresh = {.now = true, .directory = true, .path = (char *)path};
    load_directory(&fresh);
    return keep_now(fresh);
}

uint32_t contents_count(void) {
    return contents.count;
}

const file_content *contents_at(uint32_t number) {
    CHECK(number); /* 0: nothing was read yet */
    return &vector_at(&contents, number - 1);
}

void contents_close(void) {
    for (uint32_t i = 0; i < contents.count; i++) {
        file_content *c = &vector_at(&contents, i);
        memory_resize(c->path, strlen(c->path) + 1, 0);
        memory_resize(c->data, c->capacity, 0);
    }
    vector_free(&contents);
    hash_index_free(&numbers);
}
