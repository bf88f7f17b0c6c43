#include "targets/runtime/kernel/threads.h"
#include "targets/runtime/sync/actor.h"
#include "targets/runtime/sync/actor_object.h"
#include "targets/runtime/sync/inbox.h"

static void describe_thread(FILE *out, const char *words, uint32_t thread) {
    fputs(words, out);
    threads_describe(thread, out);
}

static void describe_pattern(const inbox_pattern *wanted, FILE *out) {
    fputs(wanted->tag_count ? "tag " : "anything", out);
    for (uint32_t i = 0; i < wanted->tag_count; i++) {
        fprintf(out, "%s%d", i ? " or " : "", wanted->tags[i]);
    }
    if (wanted->sender != ACTOR_NONE) {
        describe_thread(out, " from ", wanted->sender - 1);
    }
    fputs(wanted->predicate ? " that its predicate accepts" : "", out);
}

static void describe_wait(uint32_t thread, FILE *out) {
    const inbox *box = &inboxes[thread];
    describe_pattern(&box->process.wanted, out);
    fputs(box->first ? "; its mailbox holds " : "; its mailbox is empty", out);
    for (uint32_t i = box->first; i != LETTER_NONE; i = inbox_letter(i)->next) {
        const letter *l = inbox_letter(i);
        fprintf(out, "%stag %d", i == box->first ? "" : ", ", l->tag);
        describe_thread(out, " from ", l->sender);
    }
}

bool actor_describe(uint32_t number, FILE *out) {
    actor_object object;
    if (!actor_object_find(number, &object)) {
        return false;
    }
    switch ((enum actor_object_kind)object.kind) {
        case ACTOR_MAILBOX: describe_thread(out, "the mailbox of ", object.owner); break;
        case ACTOR_ANYTHING: describe_thread(out, "anything to ", object.owner); break;
        case ACTOR_FROM:
            describe_thread(out, "anything from ", object.other);
            describe_thread(out, " to ", object.owner);
            break;
        case ACTOR_TAGGED_FROM:
        case ACTOR_SENT:
        case ACTOR_SENT_STRICTLY:
            fprintf(out, "tag %d", object.tag);
            describe_thread(out, " from ", object.other);
            describe_thread(out, " to ", object.owner);
            break;
        case ACTOR_TAGGED:
            fprintf(out, "tag %d", object.tag);
            describe_thread(out, " to ", object.owner);
            break;
        case ACTOR_LETTER:
            fprintf(out, "message %u", object.number + 1);
            describe_thread(out, " of ", object.other);
            break;
        case ACTOR_TAKEN:
            fprintf(out, "tag %d", object.tag);
            describe_thread(out, " from ", object.other);
            break;
        case ACTOR_TIME_OUT: fputs("nothing (time-out)", out); break;
        case ACTOR_WAIT: describe_wait(object.owner, out); break;
    }
    return true;
}
