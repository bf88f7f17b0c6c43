/* An order of picks in which executions share much.
 *
 * Where a strategy leaves open which thread comes next, that choice decides how many steps an
 * execution has in common with the next one. The best order begins with steps that conflict with
 * nothing, because all executions share them, followed by one group of related steps after the
 * other: the two threads that want the same lock, then the next two. What conflicts is not known
 * beforehand, so a few executions are run to find out, which are not counted; then one more, in the
 * order that seems best. Each step of a thread has its place in that one as its rank, and later on
 * the thread is picked whose next step ranks lowest, if some executions with reversed races show
 * that this pays.
 *
 * Every process does this at the start of an exploration, so all of them pick the same threads.
 * Where an error shows, or nothing conflicts, there are no ranks. Rejected: to learn while
 * exploring, as the number of events would depend on which process does which work; to apply the
 * rules at every pick, which took longer than the steps that it saved. */
#ifndef HEDDLE_EXPLORE_SURVEY_H
#define HEDDLE_EXPLORE_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "core/execution.h"

struct exploration;

enum { SURVEY_STEPS = 1024 }; /* of an execution; later ones are ignored */

#define SURVEY_NONE UINT32_MAX

/* The thread whose step has the rank, and the rank of the thread's next step, or its own if there
 * is none: steps that the thread was not seen to take rank like its last. */
typedef struct survey_step {
    uint32_t thread, after;
} survey_step;

typedef struct survey {
    VECTOR(survey_step) steps; /* by rank */
    VECTOR(uint32_t) starts;   /* by thread: where its ranks begin, up to where the next one's do */
    VECTOR(uint32_t) ranks;
    VECTOR(uint32_t) next;             /* by thread: the rank of its next step, or SURVEY_NONE */
    uint64_t ready[SURVEY_STEPS / 64]; /* the same as a set */
    uint32_t length;                   /* after so many events */
} survey;

/* The execution must be empty, and is empty afterwards. */
void survey_make(struct exploration *);
void survey_free(survey *);

static inline bool survey_exists(const survey *s) {
    return s->ranks.count > 0;
}

static inline void survey_leave(survey *s, uint32_t rank) {
    s->ready[rank / 64] &= ~((uint64_t)1 << rank % 64);
}

static inline void survey_enter(survey *s, uint32_t thread, uint32_t rank) {
    DEBUG_CHECK(vector_at(&s->steps, rank).thread == thread);
    vector_at_fast(&s->next, thread) = rank;
    s->ready[rank / 64] |= (uint64_t)1 << rank % 64;
}

/* The execution has one event more than before. */
static inline void survey_go_on(survey *s, const event *taken) {
    s->length++;
    uint32_t rank =
        taken->thread < s->next.count ? vector_at_fast(&s->next, taken->thread) : SURVEY_NONE;
    if (rank != SURVEY_NONE) {
        survey_leave(s, rank);
        survey_enter(s, taken->thread, vector_at_fast(&s->steps, rank).after);
    }
}

/* The execution is shorter than it was. */
void survey_go_back(struct exploration *);

/* The thread has ended. */
void survey_note_end(survey *, uint32_t thread);

/* The lowest rank from `from` on that some thread's next step has; SURVEY_NONE: there is none. */
static inline uint32_t survey_next(const survey *s, uint32_t from) {
    DEBUG_CHECK(from <= SURVEY_STEPS);
    uint64_t mask = ~(uint64_t)0 << from % 64;
    for (uint32_t word = from / 64; word * 64 < s->ranks.count; word++, mask = ~(uint64_t)0) {
        uint64_t found = s->ready[word] & mask;
        if (found) {
            return word * 64 + (uint32_t)__builtin_ctzll(found);
        }
    }
    return SURVEY_NONE;
}

#endif
