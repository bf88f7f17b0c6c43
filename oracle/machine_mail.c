#include "oracle/machine_mail.h"

#include "oracle/hash.h"
#include "oracle/machine_part.h"

bool machine_matches(const machine_pattern *pattern, int64_t tag) {
    for (uint32_t i = 0; i < pattern->count; i++) {
        if (pattern->tags[i] == tag) {
            return true;
        }
    }
    return pattern->count == 0;
}

bool machine_pattern_is_long(const model_thread *thread) {
    for (uint32_t i = 0; i < thread->code.count; i++) {
        if (vector_at(&thread->code, i).pattern.count > MACHINE_TAGS) {
            return true;
        }
    }
    return false;
}

bool machine_find_pattern(const machine *m, uint32_t t, const instruction *i,
                          machine_pattern *result) {
    result->count = i->pattern.count;
    for (uint32_t k = 0; k < result->count; k++) {
        uint32_t tag = vector_at(&m->program->tags, i->pattern.first + k);
        if (!program_evaluate(m->program, tag, m->threads[t].registers, &result->tags[k])) {
            return false;
        }
    }
    return true;
}

uint32_t machine_find_message(const machine *m, uint32_t t, const machine_pattern *pattern) {
    for (uint32_t k = 0; k < m->message_count; k++) {
        const machine_message *sent = &m->messages[k];
        if (sent->receiver == t && !sent->taken && machine_matches(pattern, sent->tag)) {
            return k;
        }
    }
    return MACHINE_NONE;
}

static void put_message(machine *m, const machine_event *e, int64_t value) {
    CHECK(m->message_count < MACHINE_STEPS);
    m->messages[m->message_count++] = (machine_message){.tag = e->tag,
                                                        .value = value,
                                                        .receiver = (uint8_t)e->receiver,
                                                        .sender = (uint8_t)e->thread,
                                                        .index = (uint8_t)e->index};
}

static void take_message(machine *m, machine_event *e, const instruction *i,
                         machine_message *sent) {
    sent->taken = true;
    e->tag = sent->tag;
    e->took = (machine_edge){sent->sender, sent->index};
    machine_set_register(m, e->thread, i->result, sent->tag);
    machine_set_register(m, e->thread, i->value, sent->value);
    machine_set_register(m, e->thread, i->sender, sent->sender);
    hash seen = hash_append((hash){11, 12}, sent->sender);
    seen = hash_append(hash_append(seen, (uint64_t)sent->tag), (uint64_t)sent->value);
    e->value = seen.low;
}

bool machine_send(machine *m, machine_event *e, const instruction *i) {
    int64_t value;
    uint32_t receiver;
    if (!machine_resolve(m, e->thread, &i->cell, &receiver) ||
        !machine_evaluate(m, e->thread, i->a, &e->tag) ||
        !machine_evaluate(m, e->thread, i->b, &value)) {
        return false;
    }
    e->receiver = receiver;
    put_message(m, e, value);
    return true;
}

bool machine_receive(machine *m, machine_event *e, const instruction *i) {
    if (!machine_find_pattern(m, e->thread, i, &e->pattern) ||
        !machine_evaluate(m, e->thread, i->a, &e->tag)) {
        return false;
    }
    uint32_t at = machine_find_message(m, e->thread, &e->pattern);
    if (at != MACHINE_NONE) {
        take_message(m, e, i, &m->messages[at]);
        machine_note_edge(e, e->took);
    } else {
        e->missed = true;
        machine_set_register(m, e->thread, i->result, e->tag); /* which notations differ in */
    }
    return true;
}
