#include "dpor/watch.h"

#include "dpor/observed.h"

void watch_free(watch *w) {
    vector_free(&w->steps);
    vector_free(&w->debts);
    vector_free(&w->send_debts);
    vector_free(&w->mail.messages);
}

void watch_forget(watch *w) {
    vector_clear(&w->steps);
    vector_clear(&w->debts);
    vector_clear(&w->send_debts);
}

#define copy_items(to, from)                              \
    do {                                                  \
        vector_resize((to), (from)->count);               \
        for (uint32_t i_ = 0; i_ < (from)->count; i_++) { \
            vector_at((to), i_) = vector_at((from), i_);  \
        }                                                 \
    } while (0)

void watch_copy(watch *w, const watch *from) {
    CHECK(w != from);
    w->clock = from->clock;
    copy_items(&w->steps, &from->steps);
    copy_items(&w->debts, &from->debts);
    copy_items(&w->send_debts, &from->send_debts);
    copy_items(&w->mail.messages, &from->mail.messages);
}

void watch_check(const watch *w) {
    for (uint32_t i = 0; i < w->steps.count; i++) {
        const watched_step *s = &vector_at(&w->steps, i);
        CHECK(s->start <= w->clock);
        CHECK(!s->conditional || footprint_writes(s->footprint) != FOOTPRINT_EMPTY);
    }
    for (uint32_t i = 0; i < w->debts.count; i++) {
        CHECK(vector_at(&w->debts, i) != FOOTPRINT_EMPTY);
    }
    for (uint32_t i = 0; i < w->send_debts.count; i++) {
        const send_debt *debt = &vector_at(&w->send_debts, i);
        CHECK(debt->start < debt->sent.stamp && debt->sent.stamp <= w->clock);
        CHECK(message_is_send(debt->sent.send));
    }
    for (uint32_t i = 0; i < w->mail.messages.count; i++) {
        const sent_message *m = &vector_at(&w->mail.messages, i);
        CHECK(message_is_send(m->send) && m->stamp <= w->clock);
        CHECK(i == 0 || vector_at(&w->mail.messages, i - 1).stamp < m->stamp);
    }
}

void watch_add(watch *w, uint32_t thread, uint32_t choice, footprint f) {
    vector_push(
        &w->steps,
        (watched_step){.thread = thread, .choice = choice, .footprint = f, .start = w->clock});
}

/* ---- messages ---- */

/* Messages that were sent to the same mailbox since then are still waiting. */
static bool has_rivals(const watch *w, uint32_t start, footprint send) {
    for (uint32_t i = 0; i < w->mail.messages.count; i++) {
        const sent_message *m = &vector_at(&w->mail.messages, i);
        if (m->stamp > start && message_mailbox(m->send) == message_mailbox(send)) {
            return true;
        }
    }
    return false;
}

/* A receive takes its message. True: that was a send that owed an observation. */
static bool receive(watch *w, footprint f) {
    sent_message taken;
    if (!message_take(&w->mail, f, &taken)) {
        return false;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->send_debts.count; i++) {
        send_debt debt = vector_at(&w->send_debts, i);
        if (taken.stamp == debt.sent.stamp) {
            return true;
        }
        bool paid = taken.stamp > debt.start && taken.stamp < debt.sent.stamp &&
                    message_mailbox(taken.send) == message_mailbox(debt.sent.send) &&
                    message_matches(f, debt.sent.send);
        if (!paid) {
            vector_at(&w->send_debts, kept++) = debt;
        }
    }
    w->send_debts.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < w->steps.count; i++) {
        watched_step s = vector_at(&w->steps, i);
        bool ends = message_is_send(s.footprint) && taken.stamp > s.start &&
                    message_mailbox(taken.send) == message_mailbox(s.footprint) &&
                    message_matches(f, s.footprint);
        if (!ends) {
            vector_at(&w->steps, kept++) = s;
        }
    }
    w->steps.count = kept;
    return false;
}

/* ---- steps ---- */

/* Removes the observations owed that the step makes; true if one can no longer be made. */
static bool settle_debts(watch *w, footprint f) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->debts.count; i++) {
        footprint debt = vector_at(&w->debts, i);
        if (footprint_reads(f, debt)) {
            continue;
        }
        debt = footprint_remaining(debt, f);
        if (debt == FOOTPRINT_EMPTY) {
            return true;
        }
        vector_at(&w->debts, kept++) = debt;
    }
    w->debts.count = kept;
    return false;
}

/* The watched step itself occurs. True: it certainly has no predecessor. */
static bool occurs(watch *w, const watched_step *s, footprint f) {
    if (message_is_send(f)) {
        if (!has_rivals(w, s->start, f)) {
            return true;
        }
        vector_push(&w->send_debts, (send_debt){s->start, {f, w->clock}});
        return false;
    }
    if (!s->conditional) {
        return true;
    }
    vector_push(&w->debts, footprint_writes(f));
    return false;
}

bool watch_pass(watch *w, uint32_t thread, uint32_t choice, footprint f) {
    w->clock++;
    if ((w->mail.messages.count && message_is_receive(f) && receive(w, f)) || settle_debts(w, f)) {
        return true;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->steps.count; i++) {
        watched_step *s = &vector_at(&w->steps, i);
        if (s->thread == thread) {
            if (s->choice == choice && occurs(w, s, f)) {
                return true;
            }
            continue;
        }
        enum relation relation = observed_relation(s->footprint, f);
        if (relation != RELATION_ORDERED) {
            s->conditional |= relation == RELATION_OBSERVED;
            vector_at(&w->steps, kept++) = *s;
        }
    }
    w->steps.count = kept;
    if (message_is_send(f)) {
        vector_push(&w->mail.messages, (sent_message){f, w->clock});
    }
    return false;
}

bool watch_covers(watch *w, const step_sequence *steps) {
    for (uint32_t i = 0; watch_left(w); i++) {
        if (i == steps->count) {
            return true;
        }
        const sleeper *s = &vector_at(steps, i);
        if (watch_pass(w, s->thread, s->choice, s->footprint)) {
            return true;
        }
    }
    return false;
}

/* ---- one watch per prefix ---- */

void watch_stack_init(watch_stack *s) {
    *s = (watch_stack){.depth = 1};
    vector_push(&s->watches, (watch){0});
}

void watch_stack_free(watch_stack *s) {
    for (uint32_t i = 0; i < s->watches.count; i++) {
        watch_free(&vector_at(&s->watches, i));
    }
    vector_free(&s->watches);
}

void watch_stack_descend(watch_stack *s, const event *taken) {
    if (s->watches.count == s->depth) {
        vector_push(&s->watches, (watch){0});
    }
    watch *next = &vector_at(&s->watches, s->depth++);
    watch_copy(next, next - 1);
    watch_pass(next, taken->thread, taken->choice, taken->footprint);
    DEBUG_INVARIANT(watch_check(next));
}

void watch_stack_ascend(watch_stack *s, uint32_t length, const event *done) {
    CHECK(length < s->depth);
    s->depth = length + 1;
    watch_add(&vector_at(&s->watches, length), done->thread, done->choice, done->footprint);
}
