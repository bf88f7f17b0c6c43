#include "report/trace_source.h"

/* They access the same bytes, in any mode. An access of sixteen bytes is one to two objects. */
static bool is_same_place(const trace_step *s, const trace_step *other) {
    memory_access a = footprint_access(s->footprint, 0), b = footprint_access(other->footprint, 0);
    return a.object == b.object && a.bytes == b.bytes &&
           footprint_count(s->footprint) == footprint_count(other->footprint);
}

static bool reads(const trace_step *s) {
    return operation_shows(s->kind, SHOWS_RESULT) && !operation_has_role(s->kind, ROLE_CHOOSES);
}

bool trace_step_writes(const trace_step *s) {
    if (operation_has_role(s->kind, ROLE_COMPARES | ROLE_TAKES)) {
        return s->value != 0;
    }
    return !operation_only_reads(s->kind);
}

static bool has_version(const trace *t, const trace_step *s) {
    uint32_t count = footprint_count(s->footprint);
    return t->target->versions && s->step.choice != CHOICE_NONE &&
           !operation_has_role(s->kind, ROLE_CHOOSES) &&
           (count == 1 || (count == 2 && operation_is_access(s->kind)));
}

/* Where in the order of `count` writes the step comes, or what it reads: 0 is before all. */
static uint32_t position_of(const trace_step *s, uint32_t count) {
    return s->step.choice <= count ? count - s->step.choice : count;
}

/* What the step has read (UINT32_MAX: the initial value), and what is newer. False: it has read the
 * latest write, or nothing. */
static bool find_source(const trace *t, uint32_t index, uint32_t *source, uint32_t *newer) {
    const trace_step *s = &vector_at(&t->steps, index);
    VECTOR(uint32_t) order = {0}; /* the writes before, the latest last */
    if (!has_version(t, s) || !reads(s) || !s->step.choice) {
        return false;
    }
    for (uint32_t i = 0; i < index; i++) {
        const trace_step *other = &vector_at(&t->steps, i);
        if (!has_version(t, other) || !is_same_place(other, s) || !trace_step_writes(other)) {
            continue;
        }
        uint32_t at = position_of(other, order.count);
        vector_push(&order, i);
        for (uint32_t k = order.count - 1; k > at; k--) {
            vector_at(&order, k) = vector_at(&order, k - 1);
        }
        vector_at(&order, at) = i;
    }
    uint32_t at = position_of(s, order.count);
    bool found = at < order.count;
    *newer = found ? vector_at(&order, at) : UINT32_MAX;
    *source = found && at ? vector_at(&order, at - 1) : UINT32_MAX;
    vector_free(&order);
    return found;
}

uint32_t trace_newer_write(const trace *t, uint32_t index) {
    uint32_t source, newer;
    return find_source(t, index, &source, &newer) ? newer : UINT32_MAX;
}

bool trace_order(const trace *t, uint32_t index, enum access_order *order) {
    const trace_step *s = &vector_at(&t->steps, index);
    bool access = operation_is_access(s->kind);
    bool fails = access && operation_has_role(s->kind, ROLE_COMPARES) && !s->value;
    *order = fails ? s->failure : s->order;
    return t->target->versions &&
           (operation_has_role(s->kind, ROLE_FENCES) || (access && has_version(t, s)));
}

/* " (relaxed)" */
static void append_order(const trace *t, uint32_t index, text *out) {
    enum access_order order;
    if (trace_order(t, index, &order)) {
        text_format(out, " (%s)", access_order_word(order));
    }
}

void trace_describe_source(const trace *t, uint32_t index, text *out) {
    const trace_step *s = &vector_at(&t->steps, index);
    uint32_t source, newer;
    if (!find_source(t, index, &source, &newer)) {
        return;
    }
    describe_thread(t->target, s->step.thread, out);
    text_format(out, " reads %s ",
                source == UINT32_MAX ? "the initial value of" : "an old value of");
    trace_name_object(t, index, out);
    text_format(out, " in step %u", index + 1);
    append_order(t, index, out);
    if (source != UINT32_MAX) {
        text_format(out, ", from step %u", source + 1);
        append_order(t, source, out);
    }
    text_append(out, ", although ");
    describe_thread(t->target, vector_at(&t->steps, newer).step.thread, out);
    text_format(out, " overwrote it in step %u", newer + 1);
    append_order(t, newer, out);
    text_append(out, ": no happens-before leads from that write to the read.");
}
