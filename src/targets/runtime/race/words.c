/* The words of granules, which name their histories: those in use, and how they are restored. */
#include <string.h>

#include "targets/runtime/kernel/state.h"
#include "targets/runtime/memory/space.h"
#include "targets/runtime/race/clocks.h"
#include "targets/runtime/race/shadow.h"

enum { MOST_CHANGES = LIMIT_TORTURE ? 1 << 9 : 1 << 21 }; /* runs in the log */

static bool goes_on(const word_run *r, const uint32_t *word, uint32_t history) {
    return r->first + r->count == word && r->history == history && r->count < UINT32_MAX - 1;
}

/* Words that had no history in this execution: it is only known that they will have one. */
static void note_touched(uint32_t *first, uint32_t count) {
    if (race.touched.count > race.mark.touched && goes_on(&vector_last(&race.touched), first, 0)) {
        vector_last(&race.touched).count += count;
    } else {
        vector_push(&race.touched, (word_run){first, count, 0});
    }
}

static void note_change(uint32_t *first, uint32_t count) {
    if (race.changes.count > race.mark.changes &&
        goes_on(&vector_last(&race.changes), first, *first)) {
        vector_last(&race.changes).count += count;
    } else if (race.changes.count < MOST_CHANGES) {
        vector_push(&race.changes, (word_run){first, count, *first});
    } else {
        undo_forget();
    }
}

__attribute__((noinline)) void race_note_words(uint32_t *first, uint32_t count) {
    DEBUG_CHECK(*first < race.mark.records && first[count - 1] == *first);
    if (!*first) {
        note_touched(first, count);
    } else if (undo.unit) {
        note_change(first, count);
    }
}

void race_own_words(uint32_t object) {
    uintptr_t address = space_object_address(object);
    CHECK(object < RACE_OWNED && !vector_at(&race.owning, object));
    vector_at(&race.owning, object) = true;
    if (!address || space_granule(address)->object != object) {
        return; /* it is no granule */
    }
    uint32_t *words = space_history(address);
    CHECK(!((words[0] | words[1]) & RACE_OWNED));
    if (words[0] | words[1]) {
        vector_at(&race.shadows, object) =
            (shadow){.execution = race.execution, .histories = {words[0], words[1]}};
    }
    words[0] = words[1] = RACE_OWNED | object;
}

/* Where the history is now: a shadow may have taken the word over since. */
static uint32_t *place_of(uint32_t *word) {
    if (likely(!(*word & RACE_OWNED))) {
        return word;
    }
    shadow *s = &vector_at(&race.shadows, *word & ~RACE_OWNED);
    CHECK(s->execution == race.execution);
    return &s->histories[space_history_address(word) / HALF_SIZE % RACE_HALVES];
}

/* A word that was noted and not used may be one of a shadow that no longer has histories. */
static bool is_without(const uint32_t *word) {
    return *word & RACE_OWNED &&
           vector_at(&race.shadows, *word & ~RACE_OWNED).execution != race.execution;
}

static void put_back(const word_run *r) {
    for (uint32_t *word = r->first; word < r->first + r->count; word++) {
        if (likely(r->history || !is_without(word))) {
            *place_of(word) = r->history;
        }
    }
}

void race_put_words_back(const race_mark *m) {
    CHECK(m->touched <= race.touched.count && m->changes <= race.changes.count);
    while (race.changes.count > m->changes) {
        put_back(&vector_pop(&race.changes));
    }
    while (race.touched.count > m->touched) {
        put_back(&vector_pop(&race.touched));
    }
}

void race_clear_words(void) {
    static const race_mark nothing;
    race.changes.count = 0;
    race_put_words_back(&nothing);
}

/* By their addresses. Not by libc's qsort, which keeps something of its own at the first call. */
static void sort_words(uint32_t **words, uint32_t count) {
    for (uint32_t gap = count / 2; gap; gap /= 2) {
        for (uint32_t i = gap; i < count; i++) {
            uint32_t *word = words[i], at = i;
            for (; at >= gap && words[at - gap] > word; at -= gap) {
                words[at] = words[at - gap];
            }
            words[at] = word;
        }
    }
}

/* Each word once: in how many runs it is depends on what was noted and not used. */
void race_visit_words(race_visitor *visit) {
    VECTOR(uint32_t *) words = {0};
    for (uint32_t i = 0; i < race.touched.count; i++) {
        const word_run *r = &vector_at(&race.touched, i);
        for (uint32_t *word = r->first; word < r->first + r->count; word++) {
            if (*word && !(*word & RACE_OWNED)) {
                vector_push(&words, word);
            }
        }
    }
    sort_words(words.items, words.count);
    for (uint32_t i = 0; i < words.count; i++) {
        uint32_t *word = vector_at(&words, i);
        if (!i || word != vector_at(&words, i - 1)) {
            race_visit_history(visit, (uint32_t)(uintptr_t)word, *word);
        }
    }
    vector_free(&words);
}

void race_check_words(void) {
    for (uint32_t i = 0; i < race.touched.count; i++) {
        const word_run *r = &vector_at(&race.touched, i);
        CHECK(r->count && !r->history);
        for (uint32_t *word = r->first; word < r->first + r->count; word++) {
            race_check_history(*word & RACE_OWNED ? 0 : *word);
        }
    }
    for (uint32_t i = 0; i < race.changes.count; i++) {
        const word_run *r = &vector_at(&race.changes, i);
        CHECK(r->count && r->history && r->history < race.records.count);
    }
}

/* Words that a shadow has taken over since a state was saved stay taken over. */
static void pass_word(state_cursor *c, uint32_t *word) {
    bool owned = *word & RACE_OWNED;
    uint32_t history = owned ? 0 : *word;
    STATE_PASS(c, history);
    if (c->direction != CURSOR_RESTORES || (owned && !history)) {
        return;
    }
    shadow *s = owned ? &vector_at(&race.shadows, *word & ~RACE_OWNED) : NULL;
    if (s && s->execution != race.execution) {
        *s = (shadow){.execution = race.execution};
    }
    *place_of(word) = history;
}

static void pass_runs(state_cursor *c, word_run *runs, uint32_t count) {
    state_pass(c, runs, count * sizeof *runs);
}

void race_pass_words(struct state_cursor *c) {
    uint32_t touched = race.touched.count, changes = race.changes.count;
    STATE_PASS(c, touched);
    STATE_PASS(c, changes);
    vector_resize(&race.touched, touched);
    vector_resize(&race.changes, changes);
    pass_runs(c, race.touched.items, touched);
    pass_runs(c, race.changes.items, changes);
    for (uint32_t i = 0; i < touched; i++) {
        const word_run *r = &vector_at(&race.touched, i);
        for (uint32_t *word = r->first; word < r->first + r->count; word++) {
            pass_word(c, word);
        }
    }
}
