#include "oracle/enumerator.h"

#include <string.h>

#include "base/check.h"

bool enumerator_init(enumerator *e, const enumerator_request *q) {
    *e = (enumerator){.request = *q};
    return q->least >= 2 && q->least <= q->most && q->most <= ENUMERATOR_OPERATIONS &&
           q->threads >= 2 && q->threads <= SKETCH_THREADS &&
           alphabet_build(&e->alphabet, &q->alphabet);
}

/* ---- lengths of the threads ---- */

/* The first way to make `left` operations threads from `from` on, none longer than the one before.
 * False: more threads than there may be. */
static bool fill_lengths(enumerator *e, uint32_t from, uint32_t left, uint32_t longest) {
    e->thread_count = from;
    while (left) {
        if (e->thread_count == e->request.threads) {
            return false;
        }
        uint32_t length = left < longest ? left : longest;
        e->lengths[e->thread_count++] = (uint8_t)length;
        left -= length;
    }
    return true;
}

/* The next partition of the operations: some thread gets shorter, those after it start over. */
static bool next_lengths(enumerator *e) {
    uint32_t left = 0;
    for (uint32_t i = e->thread_count; i-- > 0;) {
        left += e->lengths[i];
        if (e->lengths[i] > 1) {
            uint32_t length = e->lengths[i] - 1u;
            if (fill_lengths(e, i, left, length)) {
                return true;
            }
            /* Too many threads: what is before it has to stay longer, so look further left. */
            fill_lengths(e, i, 0, 1);
        }
    }
    return false;
}

/* ---- words ---- */

static bool is_same_length(const enumerator *e, uint32_t thread) {
    return thread > 0 && e->lengths[thread] == e->lengths[thread - 1];
}

/* The smallest words from that thread on. */
static void start_words(enumerator *e, uint32_t from) {
    for (uint32_t t = from; t < e->thread_count; t++) {
        if (is_same_length(e, t)) {
            memcpy(e->words[t], e->words[t - 1], e->lengths[t]);
        } else {
            memset(e->words[t], 0, e->lengths[t]);
        }
    }
}

static bool next_words(enumerator *e) {
    for (uint32_t t = e->thread_count; t-- > 0;) {
        for (uint32_t i = e->lengths[t]; i-- > 0;) {
            if (++e->words[t][i] < e->alphabet.count) {
                start_words(e, t + 1);
                return true;
            }
            e->words[t][i] = 0;
        }
    }
    return false;
}

/* ---- which programs count ---- */

/* Locks are taken only if not surely held, and given back only if surely held. */
static bool uses_locks_well(const enumerator *e, uint32_t thread) {
    uint32_t held = 0;
    for (uint32_t i = 0; i < e->lengths[thread]; i++) {
        const letter *s = &e->alphabet.letters[e->words[thread][i]];
        uint32_t mutex = s->writes >> ALPHABET_VARIABLES;
        bool unlocks = s->ops[0].kind == SKETCH_UNLOCK;
        if (mutex && unlocks != ((held & mutex) != 0)) {
            return false;
        }
        if (s->ops[0].kind == SKETCH_LOCK) {
            held |= mutex;
        } else if (unlocks) {
            held &= ~mutex;
        }
    }
    return true;
}

/* Every operation conflicts with one of another thread. */
static bool is_all_shared(const enumerator *e) {
    uint32_t reads[SKETCH_THREADS] = {0}, writes[SKETCH_THREADS] = {0};
    for (uint32_t t = 0; t < e->thread_count; t++) {
        for (uint32_t i = 0; i < e->lengths[t]; i++) {
            reads[t] |= e->alphabet.letters[e->words[t][i]].reads;
            writes[t] |= e->alphabet.letters[e->words[t][i]].writes;
        }
    }
    for (uint32_t t = 0; t < e->thread_count; t++) {
        uint32_t read = 0, written = 0;
        for (uint32_t other = 0; other < e->thread_count; other++) {
            read |= other != t ? reads[other] : 0;
            written |= other != t ? writes[other] : 0;
        }
        for (uint32_t i = 0; i < e->lengths[t]; i++) {
            const letter *s = &e->alphabet.letters[e->words[t][i]];
            if (!(s->writes & (read | written)) && !(s->reads & written)) {
                return false;
            }
        }
    }
    return true;
}

/* No renaming, with the threads put in order again, gives a smaller program. */
static bool is_smallest(const enumerator *e) {
    for (uint32_t r = 0; r < e->alphabet.renaming_count; r++) {
        uint8_t words[SKETCH_THREADS][ENUMERATOR_OPERATIONS];
        for (uint32_t t = 0; t < e->thread_count; t++) {
            uint8_t word[ENUMERATOR_OPERATIONS];
            uint32_t length = e->lengths[t], at = t;
            for (uint32_t i = 0; i < length; i++) {
                word[i] = e->alphabet.renamings[r][e->words[t][i]];
            }
            for (;
                 at > 0 && e->lengths[at - 1] == length && memcmp(words[at - 1], word, length) > 0;
                 at--) {
                memcpy(words[at], words[at - 1], length);
            }
            memcpy(words[at], word, length);
        }
        int order = 0;
        for (uint32_t t = 0; t < e->thread_count && order == 0; t++) {
            order = memcmp(words[t], e->words[t], e->lengths[t]);
        }
        if (order < 0) {
            return false;
        }
    }
    return true;
}

static bool has_few_accesses(const enumerator *e) {
    uint32_t accesses = 0;
    for (uint32_t t = 0; t < e->thread_count; t++) {
        for (uint32_t i = 0; i < e->lengths[t]; i++) {
            accesses += e->alphabet.letters[e->words[t][i]].accesses;
        }
    }
    return accesses <= e->request.accesses;
}

static bool is_wanted(const enumerator *e) {
    if (e->request.accesses && !has_few_accesses(e)) {
        return false;
    }
    for (uint32_t t = 0; t < e->thread_count; t++) {
        if (!uses_locks_well(e, t)) {
            return false;
        }
    }
    return is_all_shared(e) && is_smallest(e);
}

/* ---- all programs ---- */

static bool start_length(enumerator *e, uint32_t operations) {
    e->operations = operations;
    if (operations > e->request.most) {
        return false;
    }
    CHECK(fill_lengths(e, 0, operations, operations - 1));
    start_words(e, 0);
    return true;
}

/* The next program, wanted or not. */
static bool step(enumerator *e) {
    if (next_words(e)) {
        return true;
    }
    if (next_lengths(e)) {
        start_words(e, 0);
        return true;
    }
    return start_length(e, e->operations + 1);
}

/* The next program that is wanted. */
static void advance(enumerator *e) {
    if (!e->started) {
        e->started = true;
        e->finished = !start_length(e, e->request.least);
    } else {
        e->finished = !step(e);
        e->index++;
    }
    while (!e->finished && !is_wanted(e)) {
        e->finished = !step(e);
    }
}

static void write_sketch(const enumerator *e, sketch *s) {
    *s = (sketch){.thread_count = (uint8_t)e->thread_count};
    for (uint32_t t = 0; t < e->thread_count; t++) {
        sketch_thread *thread = &s->threads[t];
        for (uint32_t i = 0; i < e->lengths[t]; i++) {
            const letter *of = &e->alphabet.letters[e->words[t][i]];
            for (uint32_t k = 0; k < of->count; k++) {
                thread->ops[thread->count++] = of->ops[k];
            }
        }
    }
}

bool enumerator_program(enumerator *e, uint64_t index, sketch *s) {
    if (e->started && index < e->index) {
        e->started = e->finished = false;
        e->index = 0;
    }
    while (!e->finished && (!e->started || e->index < index)) {
        advance(e);
    }
    if (!e->finished) {
        write_sketch(e, s);
    }
    return !e->finished;
}
