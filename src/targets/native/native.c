#include "targets/native/native.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "targets/native/compound.h"
#include "targets/native/constructors.h"
#include "targets/native/description.h"
#include "targets/native/fixed_addresses.h"
#include "targets/native/frame_rules.h"
#include "targets/native/gaps.h"
#include "targets/native/ignored_races.h"
#include "targets/native/image.h"
#include "targets/native/leak_report.h"
#include "targets/native/memory_report.h"
#include "targets/native/names.h"
#include "targets/native/objects.h"
#include "targets/native/sites.h"
#include "targets/native/symbolize.h"
#include "targets/runtime/kernel/access.h"
#include "targets/runtime/kernel/expect.h"
#include "targets/runtime/kernel/foreign.h"
#include "targets/runtime/kernel/instruction.h"
#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/passing.h"
#include "targets/runtime/kernel/process.h"
#include "targets/runtime/kernel/reset_check.h"
#include "targets/runtime/kernel/runtime.h"
#include "targets/runtime/kernel/spin.h"
#include "targets/runtime/kernel/spin_reads.h"
#include "targets/runtime/kernel/state.h"
#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/kernel/versions.h"
#include "targets/runtime/kernel/watchdog.h"
#include "targets/runtime/libc/output.h"
#include "targets/runtime/libc/stream_locks.h"
#include "targets/runtime/libc/system_files.h"
#include "targets/runtime/libc/variables.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/race.h"

enum { NAME_SIZE = 160 };

typedef struct native_target {
    target base;
    image image;
    symbolizer *symbolizer;
    program_error start_error; /* found before the exploration; no message: none */
    char start_message[2 * NAME_SIZE + 64];
    VECTOR(step) start_steps;
    char **arguments; /* NULL-terminated */
    uint32_t argument_count;
} native_target;

static native_target *only; /* a process has one */

static native_target *of(target *t) {
    return (native_target *)t;
}

/* ---- running ---- */

static const program_error *native_start_error(target *t, uint32_t i) {
    if (runtime.start_failed && i == 0) {
        return &runtime.start_error;
    }
    native_target *n = of(t);
    return n->start_error.message && i == runtime.start_failed ? &n->start_error : NULL;
}

void native_add_start_error(target *t, const program_error *error) {
    native_target *n = of(t);
    if (!n->start_error.message) {
        snprintf(n->start_message, sizeof n->start_message, "%s", error->message);
        vector_append(&n->start_steps, error->steps, error->step_count);
        n->start_error = *error;
        n->start_error.message = n->start_message;
        n->start_error.steps = n->start_steps.items;
    }
}

/* Code that heddle does not see has run: what it has written is unknown. */
static bool has_unseen_writes(void *context) {
    const image *i = context;
    for (const site *s = i->sites; s < i->sites_end; s++) {
        if (s->reached) {
            return true;
        }
    }
    return false;
}

static uint32_t native_back(target *t, uint32_t length) {
    if (!undo.disabled && has_unseen_writes(&of(t)->image)) {
        undo_disable();
    }
    return runtime_back(t, length);
}

/* The value of a granule; the holder of a mutex, if a thread may spin on it. */
static uint64_t native_value(target *t, uint32_t object) {
    uintptr_t address = space_object_address(object);
    uint64_t value = 0;
    if (t->spins && spin_owner(object, &value)) {
        return value;
    }
    if (space_readable(address, sizeof value)) {
        memcpy(&value, (const void *)address, sizeof value);
    }
    return value;
}

static bool native_opens(target *t, uint32_t thread, uint64_t value) {
    const operation *op = runtime_pending(t, thread); /* it was not brought up to date before */
    CHECK(op);
    return t->stale || spin_opens(thread, value);
}

/* ---- for people ---- */

bool native_share_threads(void) {
    void *words = mmap(NULL, RUNTIME_MAX_THREADS * sizeof(uint64_t), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (words != MAP_FAILED) {
        threads_share(words);
    }
    return words != MAP_FAILED;
}

void native_share_threads_elsewhere(uint64_t (*ask)(uint32_t, uint64_t)) {
    threads_share_elsewhere(ask);
}

bool native_claim_thread(uint64_t number, uint64_t origin, uint64_t *owner) {
    bool good = number < RUNTIME_MAX_THREADS && origin;
    *owner = good ? threads_claim((uint32_t)number, origin) : 0;
    return good;
}

bool native_set_echo(bool echo) {
    bool before = runtime.settings.echo;
    runtime.settings.echo = echo;
    return before;
}

void native_end_output(void) {
    if (output_line_is_open) {
        putchar('\n');
    }
    output_line_is_open = false;
    fflush(NULL);
}

bool native_expect_thread(const char *name) {
    return threads_expect(name);
}

/* Thread, distance from the top of its stack, size; or a place whose accesses are steps. */
static footprint native_accessed(target *t, uint32_t thread) {
    const runtime_thread *of = &runtime.threads[thread];
    (void)t;
    return of->spin_widened ? of->spin_own : of->pending.footprint;
}

static uint32_t native_polled(target *t, uint32_t thread) {
    (void)t;
    return spin_polled(&runtime.threads[thread]);
}

static bool native_describe_shared(target *t, uint32_t i, FILE *out) {
    (void)t;
    space_shared_range range;
    uintptr_t offset;
    if (space_shared_at(i, &range)) {
        fprintf(out, "%u %zu %zu", range.thread, range.below_top, range.size);
        return true;
    }
    i -= space_shared_count();
    if (passing_promoted(i, &offset)) {
        fprintf(out, "promoted %" PRIuPTR, offset);
        return true;
    }
    uint32_t marks, promoted = 0;
    while (passing_promoted(promoted, &offset)) {
        promoted++;
    }
    if (i >= promoted && spin_known(i - promoted, &offset, &marks)) {
        fprintf(out, "spins %" PRIuPTR " %u", offset, marks);
        return true;
    }
    uint32_t spins = 0;
    while (spin_known(spins, &offset, &marks)) {
        spins++;
    }
    if (runtime.versions && i == promoted + spins) {
        fputs("versions", out);
        return true;
    }
    return false;
}

bool native_expect_shared(const char *text) {
    space_shared_range range;
    uintptr_t offset;
    uint32_t marks;
    if (strcmp(text, "versions") == 0) {
        versions_keep(&only->base, true);
        return true;
    }
    if (sscanf(text, "promoted %" SCNuPTR, &offset) == 1) {
        only->base.promoted = true; /* which races are found depends on it (passing_treat) */
        return passing_expect(offset);
    }
    if (sscanf(text, "spins %" SCNuPTR " %u", &offset, &marks) == 2) {
        return spin_expect(offset, marks);
    }
    return sscanf(text, "%u %zu %zu", &range.thread, &range.below_top, &range.size) == 3 &&
           space_expect_shared(&range);
}

/* ---- making and ending ---- */

static void free_arguments(native_target *n) {
    for (uint32_t i = 0; i < n->argument_count; i++) {
        memory_resize(n->arguments[i], strlen(n->arguments[i]) + 1, 0);
    }
    memory_resize(n->arguments, (n->argument_count + 1) * sizeof *n->arguments, 0);
}

static void native_destroy(target *t) {
    native_target *n = of(t);
    symbolizer_close(n->symbolizer);
    runtime_restore_image();
    image_unload(&n->image);
    runtime_close();
    race_describe = NULL;
    ignored_races_close();
    description_open(NULL);
    memory_report_open(NULL);
    frame_rules_close();
    leak_report_close();
    only = NULL;
    free_arguments(n);
    footprint_table_clear();
    memory_resize(n, sizeof *n, 0);
}

static const target_class native_class = {
    .reset = runtime_reset,
    .back = native_back,
    .start_error = native_start_error,
    .thread_count = runtime_thread_count,
    .pending = runtime_pending,
    .step = runtime_step,
    .replay = runtime_replay,
    .ending = runtime_ending,
    .end_error = leak_report_error,
    .value = native_value,
    .opens = native_opens,
    .keep_versions = versions_keep,
    .change_orders = atomics_change_orders,
    .written = versions_written,
    .initial = versions_initial,
    .generation = versions_generation,
    .waits = versions_wait,
    .state_size = runtime_state_size,
    .save = runtime_save,
    .restore = runtime_restore,
    .equal = runtime_equal,
    .expect_comparisons = runtime_expect_comparisons,
    .treat_accesses = passing_treat,
    .promote = passing_promote_all,
    .names = &native_names,
    .describe_thread = description_of_thread,
    .describe_object = description_of_object,
    .describe_whole = description_of_whole,
    .describe_role = description_of_role,
    .call_stack = description_of_stack,
    .describe_access = description_of_access,
    .describe_value = description_of_value,
    .describe_range = description_of_range,
    .describe_missing = description_of_missing,
    .describe_location = description_of_location,
    .describe_column = description_of_column,
    .describe_function = description_of_function,
    .describe_shared = native_describe_shared,
    .polled = native_polled,
    .accessed = native_accessed,
    .destroy = native_destroy,
};

static void copy_arguments(native_target *n, const settings *o) {
    n->argument_count = o->arguments.count + 1;
    n->arguments = memory_resize(NULL, 0, (n->argument_count + 1) * sizeof *n->arguments);
    for (uint32_t i = 0; i < n->argument_count; i++) {
        const char *text = i                ? vector_at(&o->arguments, i - 1)
                           : o->files.count ? vector_at(&o->files, 0)
                                            : "program";
        size_t size = strlen(text) + 1;
        n->arguments[i] = memcpy(memory_resize(NULL, 0, size), text, size);
    }
}

static void expect_functions(native_target *n, const native_program *program) {
    object_symbols symbols = {0};
    if (objects_read(&symbols, program->path)) {
        for (uint32_t i = 0; i < symbols.items.count; i++) {
            const object_symbol *s = &vector_at(&symbols.items, i);
            if (!s->defined) {
                expect_function(s->name);
                n->base.compares |=
                    strstr(s->name, "compare_exchange") != NULL || strstr(s->name, "_once") != NULL;
            }
        }
    }
    objects_free(&symbols);
}

static void mark_compounds(const native_program *program, uintptr_t base) {
    address_list addresses = {0}, external = {0};
    bool unseen = false;
    if (!compound_find(program->path, &addresses, &external, &unseen) || unseen) {
        undo_disable(); /* what is not announced is not logged */
    }
    for (uint32_t i = 0; i < addresses.count; i++) {
        location_mark_compound(vector_at(&addresses, i) + base - space.text_low);
    }
    if (external.count) {
        expect_clock();
    }
    for (uint32_t i = 0; i < external.count; i++) {
        instruction_replace(vector_at(&external, i) + base);
    }
    vector_free(&addresses);
    vector_free(&external);
}

/* The runtime notices accesses to variables of libraries. */
static void watch_variables(const image *i) {
    for (site *s = i->sites; s < i->sites_end; s++) {
        size_t size;
        if (s->kind == SITE_VARIABLE && sites_variable_size(s, &size)) {
            foreign_watch((uintptr_t)s->subject, size, &s->reached);
        }
    }
}

static void add_gap(void *context, uintptr_t low, uintptr_t size) {
    const image *i = context;
    space_add_gap(low + i->base, size);
}

/* What is checked in the place of main. */
static bool find_function(native_target *n, const char *name, char *message) {
    uintptr_t address;
    uint32_t count = symbolizer_find_function(n->symbolizer, name, &address);
    if (count != 1) {
        snprintf(message, NATIVE_MESSAGE_SIZE,
                 count ? "--function=%s: the program has several functions of that name"
                       : "--function=%s: the program has no function of that name",
                 name);
        return false;
    }
    memcpy(&n->image.main, &address, sizeof n->image.main);
    return true;
}

static bool find_entry(native_target *n, const settings *o, char *message) {
    if (o->function) {
        return find_function(n, o->function, message);
    }
    uintptr_t hidden;
    if (!n->image.main && symbolizer_find_function(n->symbolizer, "main", &hidden) == 1) {
        memcpy(&n->image.main, &hidden, sizeof n->image.main);
    }
    if (!n->image.main) {
        snprintf(message, NATIVE_MESSAGE_SIZE, "the program has no main that can be called");
    }
    return n->image.main;
}

/* They lie on the stacks. */
static bool has_room_for_threads(char *message) {
    space_place();
    size_t most = space.stack_size / 2;
    if (space.tls_size > most) {
        snprintf(message, NATIVE_MESSAGE_SIZE,
                 "unsupported: %zu bytes of thread-local variables, where heddle has room for %zu",
                 space.tls_size, most);
    }
    return space.tls_size <= most;
}

static bool open_image(native_target *n, const native_program *program, const settings *o,
                       char *message) {
    if (!image_load(&n->image, program->path, message)) {
        return false;
    }
    n->symbolizer = symbolizer_open(program->path, n->image.base);
    if (!has_room_for_threads(message) || !find_entry(n, o, message)) {
        symbolizer_close(n->symbolizer);
        image_unload(&n->image);
        return false;
    }
    return true;
}

target *native_open(native_program *program, const settings *o, char *message) {
    CHECK(!only);
    native_target *n = memory_resize(NULL, 0, sizeof *n);
    n->base.class = &native_class;
    if (!open_image(n, program, o, message)) {
        memory_resize(n, sizeof *n, 0);
        return NULL;
    }
    only = n;
    constructors_find(program->path, n->image.base);
    location_witness.base = n->image.base;
    copy_arguments(n, o);
    variables_open(n->image.environment);
    stream_locks_open(n->image.stream_locks);
    runtime_open(o, (int)n->argument_count, n->arguments, n->image.main);
    reset_check_ask(has_unseen_writes, &n->image);
    space.target = &n->base;
    race_describe = description_of_race;
    ignored_races_open(&o->ignored_races);
    uintptr_t main;
    memcpy(&main, &n->image.main, sizeof main);
    process_main_end = symbolizer_function_end(n->symbolizer, main);
    process_failed = false;
    description_open(n->symbolizer);
    memory_report_open(n->symbolizer);
    frame_rules_open();
    gaps_find(program->path, add_gap, &n->image);
    expect_functions(n, program);
    mark_compounds(program, n->image.base);
    watch_variables(&n->image);
    return &n->base;
}

typedef struct warning {
    symbolizer *symbolizer;
    void (*warn)(void *, const char *);
    void *context;
} warning;

static void warn_site(void *context, const char *words) {
    const warning *w = context;
    w->warn(w->context, words);
}

static void place_of_site(void *context, uintptr_t return_address, char *place, size_t size) {
    const warning *w = context;
    symbolizer_place(w->symbolizer, return_address, place, size);
}

void native_cautions(target *t, void (*warn)(void *, const char *), void *context) {
    (void)t;
    if (!fixed_addresses_are_on()) {
        warn(context,
             "addresses may differ from run to run: address space randomisation could not "
             "be turned off");
    }
    if (system_files_changed()) {
        warn(context, "the program has changed files, in every execution; they were not restored");
    }
    if (process_failed) {
        warn(context,
             "some executions ended with a status other than 0; --exit-status makes that "
             "an error");
    }
    ignored_races_warn(warn, context);
    leak_report_warn(warn, context);
}

void native_uncovered(target *t, void (*warn)(void *, const char *), void *context) {
    const image *i = &of(t)->image;
    char words[NAME_SIZE];
    if (runtime.sampled) {
        snprintf(words, sizeof words, "not all results of %s were tried, only a few",
                 runtime.sampled);
        warn(context, words);
    }
    sites_warn(i->sites, i->sites_end, place_of_site, warn_site,
               &(warning){of(t)->symbolizer, warn, context});
}

void native_request_stop(void) {
    watchdog_request_stop();
}
