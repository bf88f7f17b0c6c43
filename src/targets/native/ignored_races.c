#include "targets/native/ignored_races.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "targets/native/description.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"
#include "targets/runtime/sync/benign.h"

enum { NAME_SIZE = 160 };

/* A race is two places and a variable, regardless of the threads and the order. */
typedef struct judgement {
    uint32_t first, second, object;
    bool annotated; /* the program itself calls it benign */
    bool ignored;
} judgement;

static const string_list *ignored; /* the places that the user names; NULL: none */
static VECTOR(judgement) judged;

static bool is_file_and_line(const char *wanted, uint32_t location) {
    char place[NAME_SIZE];
    const char *file;
    uint32_t line;
    if (!description_of_location(NULL, location, &file, &line)) {
        return false;
    }
    snprintf(place, sizeof place, "%s:%u", path_name(file), line);
    return strcmp(place, path_name(wanted)) == 0;
}

static bool is_at(const char *wanted, uint32_t location) {
    const char *function = description_of_function(NULL, location);
    return (function && strcmp(function, wanted) == 0) || is_file_and_line(wanted, location);
}

/* "queue" is meant by "queue.head", "queue[1]" and "queue->next", too. */
static bool is_variable(const char *wanted, const char *name) {
    size_t length = strlen(wanted);
    return text_starts(name, wanted) && !text_is_name_part(name[length]);
}

/* "flags.done" is one of "flags.{ready, done}", as accesses to bit-fields are called, and to
 * members of a union of which any may be meant. */
static bool is_field(const char *wanted, const char *name) {
    const char *list = strstr(name, ".{");
    size_t before = list ? (size_t)(list - name) + 1 : 0, length;
    if (!list || strncmp(wanted, name, before) != 0) {
        return false;
    }
    wanted += before;
    for (const char *at = list + 2; *at; at += length + strspn(at + length, ", }")) {
        length = strcspn(at, ", }");
        if (is_variable(wanted, at)) {
            return true;
        }
    }
    return false;
}

static bool is_wanted_away(const race_report *r) {
    char variable[NAME_SIZE];
    if (!ignored) {
        return false;
    }
    description_of_raced(r, variable, sizeof variable);
    for (uint32_t i = 0; i < ignored->count; i++) {
        const char *wanted = vector_at(ignored, i);
        if (is_at(wanted, r->location) || is_at(wanted, r->other_location) ||
            is_variable(wanted, variable) || is_field(wanted, variable)) {
            return true;
        }
    }
    return false;
}

static bool is_ignored(const race_report *r) {
    bool swapped = r->other_location < r->location;
    bool annotated = benign_has(space_object_address(r->object), r->bytes);
    judgement j = {.first = swapped ? r->other_location : r->location,
                   .second = swapped ? r->location : r->other_location,
                   .object = r->object,
                   .annotated = annotated};
    for (uint32_t i = 0; i < judged.count; i++) {
        const judgement *known = &vector_at(&judged, i);
        if (known->first == j.first && known->second == j.second && known->object == j.object &&
            known->annotated == annotated) {
            return known->ignored;
        }
    }
    j.ignored = annotated || is_wanted_away(r);
    vector_push(&judged, j);
    return j.ignored;
}

void ignored_races_open(const string_list *places) {
    ignored = places->count ? places : NULL;
    race_is_ignored = is_ignored;
}

void ignored_races_close(void) {
    race_is_ignored = NULL;
    vector_free(&judged);
}

static void warn_of(bool annotated, const char *reason, void (*warn)(void *, const char *),
                    void *context) {
    uint32_t count = 0;
    char words[NAME_SIZE];
    for (uint32_t i = 0; i < judged.count; i++) {
        const judgement *j = &vector_at(&judged, i);
        count += j->ignored && j->annotated == annotated;
    }
    if (count) {
        snprintf(words, sizeof words, "%u data race%s ignored, because of %s", count,
                 count == 1 ? " was" : "s were", reason);
        warn(context, words);
    }
}

void ignored_races_warn(void (*warn)(void *, const char *), void *context) {
    warn_of(false, "--ignore-race", warn, context);
    warn_of(true, "annotations in the program", warn, context);
}
