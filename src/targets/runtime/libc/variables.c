#include "targets/runtime/libc/variables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/memory/hidden.h"

extern char **environ;

static VECTOR(char *) asked; /* names, each once */
static char ***shown;        /* the program's variable */

void variables_open(char ***place) {
    shown = place;
}

static variable_changes *changes(void) {
    variable_changes *c = hidden_data(HIDDEN_ENVIRONMENT);
    CHECK(c->count <= VARIABLES_MAX && c->used <= VARIABLES_ROOM);
    return c;
}

_Static_assert(VARIABLES_MAX == 64 && VARIABLES_ROOM == 8192 && VARIABLES_ALL == 1024,
               "the messages below name them");

static bool has_name(const char *text, const char *name, size_t length) {
    return strncmp(text, name, length) == 0 && (text[length] == '=' || text[length] == '\0');
}

/* Remembers that the program depends on that variable of heddle's environment. */
static char *ask(const char *name) {
    for (uint32_t i = 0; i < asked.count; i++) {
        if (strcmp(vector_at(&asked, i), name) == 0) {
            return getenv(name);
        }
    }
    size_t size = strlen(name) + 1;
    vector_push(&asked, memcpy(memory_resize(NULL, 0, size), name, size));
    CHECK(asked.count && !vector_last(&asked)[size - 1]);
    return getenv(name);
}

const char *variables_asked(uint32_t number) {
    return number < asked.count ? vector_at(&asked, number) : NULL;
}

bool variables_are_shown(void) {
    return shown != NULL;
}

static char *find(const char *name) {
    variable_changes *c = changes();
    size_t length = strlen(name);
    for (uint32_t i = c->count; i-- > 0;) {
        if (has_name(vector_at(c, i).text, name, length)) {
            return vector_at(c, i).removed ? NULL : (char *)vector_at(c, i).text + length + 1;
        }
    }
    return c->cleared ? NULL : ask(name);
}

static char *get(const char *name, const void *here) {
    reads_string(name, here);
    if (hidden_changes(HIDDEN_ENVIRONMENT)) {
        hidden_read(HIDDEN_ENVIRONMENT, here);
    }
    return find(name);
}

char *heddle_getenv(const char *name) {
    return get(name, HERE);
}

static void add(const char *text, bool removed, const void *here) {
    variable_changes *c = changes();
    if (c->count == VARIABLES_MAX) {
        heddle_unsupported("more than 64 changes of the environment", here);
    }
    c->items[c->count++] = (variable_change){text, removed};
}

/* Whether one of the changes from number `from` on has the same name. */
static bool is_replaced(const char *text, uint32_t from) {
    const variable_changes *c = changes();
    size_t length = strcspn(text, "=");
    for (uint32_t i = from; i < c->count; i++) {
        if (has_name(vector_at(c, i).text, text, length)) {
            return true;
        }
    }
    return false;
}

static void list_one(uint32_t *count, const char *text, const void *here) {
    if (*count + 1 >= VARIABLES_ALL) {
        heddle_unsupported("environ with more than 1022 variables", here);
    }
    changes()->all[(*count)++] = text;
}

/* The program sees in `environ` what it has changed: a write to its variable. */
static void show(const void *here) {
    if (!shown) {
        return;
    }
    variable_changes *c = changes();
    uint32_t count = 0;
    writes(shown, sizeof *shown, here);
    for (char **v = environ; v && *v && !c->cleared; v++) {
        if (!is_replaced(*v, 0)) {
            list_one(&count, *v, here);
        }
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (!vector_at(c, i).removed && !is_replaced(vector_at(c, i).text, i + 1)) {
            list_one(&count, vector_at(c, i).text, here);
        }
    }
    CHECK(count < VARIABLES_ALL);
    c->all[count] = NULL;
    *shown = (char **)c->all;
}

static char *make_room(size_t size, const void *here) {
    variable_changes *c = changes();
    if (size > VARIABLES_ROOM - c->used) {
        heddle_unsupported("more than 8192 bytes of changes of the environment", here);
    }
    c->used += (uint32_t)size;
    return &c->room[c->used - size];
}

static bool is_name(const char *name) {
    return name && *name && !strchr(name, '=');
}

static int invalid(void) {
    errno = EINVAL;
    return -1;
}

int heddle_setenv(const char *name, const char *value, int overwrite) {
    if (!is_name(name)) {
        return invalid();
    }
    for (size_t seen = 0, second = 0;
         ranges_grew(&seen, &second, name, strlen(name) + 1, value, strlen(value) + 1);) {
        reads_two(name, seen, value, second, HERE);
    }
    hidden_change(HIDDEN_ENVIRONMENT, HERE);
    size_t length = strlen(name), value_length = strlen(value);
    if (overwrite || !find(name)) {
        char *text = make_room(length + value_length + 2, HERE);
        memcpy(text, name, length);
        text[length] = '=';
        memcpy(text + length + 1, value, value_length + 1);
        add(text, false, HERE);
        show(HERE);
    }
    return 0;
}

int heddle_unsetenv(const char *name) {
    if (!is_name(name)) {
        return invalid();
    }
    reads_string(name, HERE);
    size_t size = strlen(name) + 1;
    hidden_change(HIDDEN_ENVIRONMENT, HERE);
    add(memcpy(make_room(size, HERE), name, size), true, HERE);
    show(HERE);
    return 0;
}

/* The string itself becomes part of the environment. */
int heddle_putenv(char *text) {
    if (!strchr(text, '=')) {
        return heddle_unsetenv(text);
    }
    reads_string(text, HERE);
    hidden_change(HIDDEN_ENVIRONMENT, HERE);
    add(text, false, HERE);
    show(HERE);
    return 0;
}

/* A time zone of the program's own would have to be libc's, too. */
void heddle_tzset(void) {
    const char *wanted = heddle_getenv("TZ"), *there = getenv("TZ");
    if (wanted != there && (!wanted || !there || strcmp(wanted, there) != 0)) {
        heddle_unsupported("tzset with a time zone of the program's own", HERE);
    }
    tzset();
}

int heddle_clearenv(void) {
    hidden_change(HIDDEN_ENVIRONMENT, HERE);
    memset(changes(), 0, sizeof *changes());
    changes()->cleared = true;
    show(HERE);
    return 0;
}
