/* Messages. What happens before what, without observers (JACM 2017, section 10):
 *
 * - Any two sends to one mailbox are ordered: each reads and writes its NAME_ORDER.
 * - A send happens before the receive that takes its message. For a blocking receive the send is a
 *   cause, which is never reversed; the receive touches no bytes, it commutes with all other sends.
 *   A receive that need not wait could also have come first: it reads the NAME_MESSAGE that the
 *   send writes.
 * - A receive that found nothing happens before every later send that it could have taken: it reads
 *   the NAME_TAGs of its pattern, or NAME_ANY, which sends write.
 *
 * Observers also need to know what a receive could have taken, whatever it took: it names these
 * objects without touching their bytes. */
#include <inttypes.h>
#include <string.h>

#include "targets/abstract/interpreter_state.h"

bool program_has_messages(const program *p) {
    for (uint32_t t = 0; t < p->threads.count; t++) {
        for (uint32_t i = 0; i < vector_at(&p->threads, t).code.count; i++) {
            enum instruction_kind kind = vector_at(&vector_at(&p->threads, t).code, i).kind;
            if (kind >= INSTRUCTION_SEND && kind <= INSTRUCTION_POLL) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t object_of(interpreter *m, enum name_kind kind, uint32_t a, int64_t b) {
    return m->program->cells.count + name_number(&m->names, (name){kind, a, b});
}

static memory_access touch(interpreter *m, enum name_kind kind, uint32_t a, int64_t b,
                           enum access_mode mode) {
    return (memory_access){object_of(m, kind, a, b), ACCESS_ALL_BYTES, (uint8_t)mode};
}

/* ---- patterns ---- */

/* Puts the tags of the pattern that the thread stands before into m->tags. */
static bool find_tags(interpreter *m, uint32_t t) {
    pattern wanted = model_current(m, t)->pattern;
    vector_clear(&m->tags);
    for (uint32_t i = 0; i < wanted.count; i++) {
        int64_t tag;
        if (!model_evaluate(m, t, vector_at(&m->program->tags, wanted.first + i), &tag)) {
            return false;
        }
        vector_push(&m->tags, tag);
    }
    return true;
}

bool model_pattern_is_good(interpreter *m, uint32_t t) {
    return find_tags(m, t);
}

/* The message that the thread would take now. */
static uint32_t find_message(interpreter *m, uint32_t t) {
    bool good = find_tags(m, t);
    CHECK(good);
    return mailbox_find(&m->mailboxes[t], m->messages, m->tags.items, m->tags.count);
}

/* The name of the pattern in m->tags. */
static uint32_t pattern_name(interpreter *m) {
    if (!m->tags.count) {
        return name_number(&m->names, (name){NAME_ANYTHING, 0, 0});
    }
    uint32_t number = 0;
    for (uint32_t i = 0; i < m->tags.count; i++) {
        number = name_number(&m->names, (name){NAME_PATTERN, number, vector_at(&m->tags, i)}) + 1;
    }
    return number - 1;
}

/* ---- pending operations ---- */

static footprint send_footprint(interpreter *m, uint32_t t) {
    const thread_state *thread = &m->threads[t];
    memory_access accesses[] = {
        touch(m, NAME_ORDER, thread->cell, 0, ACCESS_SEND),
        touch(m, NAME_TAG, thread->cell, thread->a, ACCESS_WRITE),
        touch(m, NAME_ANY, thread->cell, 0, ACCESS_WRITE),
        touch(m, NAME_MESSAGE, t, (int64_t)thread->events + 1, ACCESS_WRITE),
    };
    return footprint_of(accesses, sizeof accesses / sizeof *accesses);
}

/* Of a receive that finds nothing; its pattern is in m->tags. */
static footprint silence_footprint(interpreter *m, uint32_t t) {
    if (!m->tags.count) {
        return model_whole(object_of(m, NAME_ANY, t, 0), ACCESS_READ);
    }
    vector_clear(&m->accesses);
    for (uint32_t i = 0; i < m->tags.count; i++) {
        vector_push(&m->accesses, touch(m, NAME_TAG, t, vector_at(&m->tags, i), ACCESS_READ));
    }
    return footprint_of(m->accesses.items, m->accesses.count);
}

/* What a receive would take, as accesses without bytes, and the message that it reads, if any. */
static footprint pattern_footprint(interpreter *m, uint32_t t, const message *read) {
    vector_clear(&m->accesses);
    for (uint32_t i = 0; i < m->tags.count; i++) {
        uint32_t object = object_of(m, NAME_TAG, t, vector_at(&m->tags, i));
        vector_push(&m->accesses, (memory_access){object, 0, ACCESS_READ});
    }
    if (!m->tags.count) {
        vector_push(&m->accesses, (memory_access){object_of(m, NAME_ANY, t, 0), 0, ACCESS_READ});
    }
    if (read) {
        vector_push(&m->accesses, touch(m, NAME_MESSAGE, read->sender, read->events, ACCESS_READ));
    }
    return footprint_of(m->accesses.items, m->accesses.count);
}

void model_arrive_message(interpreter *m, uint32_t t) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    switch (model_current(m, t)->kind) {
        case INSTRUCTION_SEND:
            op->object = object_of(m, NAME_TAG, thread->cell, thread->a);
            op->footprint = send_footprint(m, t);
            break;
        case INSTRUCTION_POLL: op->flags |= OPERATION_VARIES; /* fall through */
        default:
            find_tags(m, t);
            thread->wanted = m->program->cells.count + pattern_name(m);
            thread->waits = object_of(m, NAME_WAIT, t, pattern_name(m));
            op->object = thread->wanted;
            op->footprint = pattern_footprint(m, t, NULL);
            break;
    }
}

static void refresh_poll(interpreter *m, uint32_t t, const message *found) {
    operation *op = &m->threads[t].operation;
    if (found) {
        op->footprint = pattern_footprint(m, t, found);
    } else {
        op->footprint = silence_footprint(m, t);
    }
}

static void refresh_blocking(interpreter *m, uint32_t t, const message *found) {
    thread_state *thread = &m->threads[t];
    operation *op = &thread->operation;
    model_set_enabled(op, found != NULL);
    op->cause_count = 0;
    if (!thread->events && thread->birth.events) {
        thread->causes[op->cause_count++] = thread->birth;
    }
    op->object = found ? thread->wanted : thread->waits;
    if (found) {
        thread->causes[op->cause_count++] = (cause){found->sender, found->events};
    }
}

void model_refresh_receive(interpreter *m, uint32_t t) {
    bool polls = model_current(m, t)->kind == INSTRUCTION_POLL;
    bool empty = !polls && !m->mailboxes[t].count; /* no need to look at the pattern */
    uint32_t at = empty ? MESSAGE_NONE : find_message(m, t);
    const message *found =
        at == MESSAGE_NONE ? NULL : mailbox_get(&m->mailboxes[t], m->messages, at);
    if (polls) {
        refresh_poll(m, t, found);
    } else {
        refresh_blocking(m, t, found);
    }
}

/* ---- steps ---- */

bool model_send(interpreter *m, uint32_t t, step_result *result) {
    const thread_state *thread = &m->threads[t];
    message sent = {thread->a, thread->b, t, thread->events};
    result->value = (uint64_t)thread->b;
    if (!mailbox_put(&m->mailboxes[thread->cell], m->messages, sent)) {
        model_fail(m, t, ERROR_UNFINISHED, "mailbox full: more than 256 messages");
        return false;
    }
    return true;
}

static void set_register(interpreter *m, uint32_t t, uint32_t number, int64_t value) {
    if (number != REGISTER_NONE) {
        model_registers(m, t)[number] = value;
    }
}

bool model_receive(interpreter *m, uint32_t t, step_result *result) {
    const instruction *in = model_current(m, t);
    uint32_t at = find_message(m, t);
    if (at == MESSAGE_NONE) {
        CHECK(in->kind == INSTRUCTION_POLL);
        result->value = (uint64_t)m->threads[t].a;
        model_set_result(m, t, in, m->threads[t].a);
        return true;
    }
    message taken = mailbox_take(&m->mailboxes[t], m->messages, at);
    result->value = (uint64_t)taken.tag;
    model_set_result(m, t, in, taken.tag);
    set_register(m, t, in->value, taken.value);
    set_register(m, t, in->sender, taken.sender);
    return true;
}

/* ---- for people ---- */

static const char *thread_name(const interpreter *m, uint32_t t) {
    return vector_at(&m->program->threads, t).name;
}

static void describe_mailbox(const interpreter *m, uint32_t t, FILE *out) {
    const mailbox *box = &m->mailboxes[t];
    if (!box->count) {
        fputs("its mailbox is empty", out);
    }
    for (uint32_t i = 0; i < box->count; i++) {
        const message *waits = mailbox_get(box, m->messages, i);
        fprintf(out, "%s%" PRId64 " from %s", i ? ", " : "its mailbox holds ", waits->tag,
                thread_name(m, waits->sender));
    }
}

void model_describe_name(const interpreter *m, uint32_t number, FILE *out) {
    CHECK(number < m->names.names.count);
    const name *n = &vector_at(&m->names.names, number);
    switch (n->kind) {
        case NAME_ORDER: fprintf(out, "the mailbox of %s", thread_name(m, n->a)); break;
        case NAME_ANY: fprintf(out, "anything to %s", thread_name(m, n->a)); break;
        case NAME_TAG: fprintf(out, "%" PRId64 " to %s", n->b, thread_name(m, n->a)); break;
        case NAME_MESSAGE:
            fprintf(out, "what %s sent in its step %" PRId64, thread_name(m, n->a), n->b);
            break;
        case NAME_ANYTHING: fputs("anything", out); break;
        case NAME_OUTSIDE: {
            const char *first = vector_at(&m->program->cells, n->a).name;
            fprintf(out, "%.*s[%" PRId64 "]", (int)strcspn(first, "["), first, n->b);
            break;
        }
        case NAME_PATTERN:
            if (n->a) {
                model_describe_name(m, n->a - 1, out);
                fputs(" or ", out);
            }
            fprintf(out, "%" PRId64, n->b);
            break;
        case NAME_WAIT:
            model_describe_name(m, (uint32_t)n->b, out);
            fputs("; ", out);
            describe_mailbox(m, n->a, out);
            break;
    }
}
