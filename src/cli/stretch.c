#include "cli/stretch.h"

/* ---- the list ---- */

void stretch_free(stretch *s) {
    stored_free(&s->work);
    tally_free(&s->tally);
    tally_free(&s->unsaved);
    memory_resize(s, sizeof *s, 0);
}

stretch *stretch_add(stretch_list *list, uint32_t index) {
    stretch *s = memory_resize(NULL, 0, sizeof *s);
    *s = (stretch){0};
    vector_push(list, s);
    for (uint32_t i = list->count - 1; i > index; i--) {
        vector_at(list, i) = vector_at(list, i - 1);
    }
    vector_at(list, index) = s;
    return s;
}

uint32_t stretch_index(const stretch_list *list, const stretch *s) {
    uint32_t i = 0;
    while (vector_at(list, i) != s) {
        i++;
    }
    return i;
}

/* Merges neighbours that are finished. */
void stretches_join(stretch_list *list) {
    for (uint32_t i = 0; i + 1 < list->count;) {
        stretch *s = vector_at(list, i), *next = vector_at(list, i + 1);
        if (s->state != STRETCH_OVER || next->state != STRETCH_OVER || s->end || next->end ||
            s->interrupted || next->interrupted || s->piece != next->piece) {
            i++;
            continue;
        }
        tally_add(&s->tally, &next->tally);
        stretch_free(next);
        for (uint32_t j = i + 1; j + 1 < list->count; j++) {
            vector_at(list, j) = vector_at(list, j + 1);
        }
        list->count--;
    }
}

enum exploration_end stretches_end(const stretch_list *list, const tally *all) {
    for (uint32_t i = 0; i < list->count; i++) {
        const stretch *s = vector_at(list, i);
        if (s->state != STRETCH_OVER || s->interrupted) {
            return EXPLORATION_INTERRUPTED;
        }
        if (s->end) {
            return s->end;
        }
    }
    return text_length(&all->cut) ? EXPLORATION_STEP_BOUND : EXPLORATION_COMPLETE;
}

bool stretches_are_over(const stretch_list *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const stretch *s = vector_at(list, i);
        if (s->state != STRETCH_OVER || s->interrupted) {
            return false;
        }
    }
    return true;
}

void stretches_add_up(const stretch_list *list, tally *all) {
    for (uint32_t i = 0; i < list->count; i++) {
        tally_add(all, &vector_at(list, i)->tally);
        tally_add(all, &vector_at(list, i)->unsaved);
    }
}

/* ---- bytes ---- */

/* Interrupted work has to be done again. */
bool stretch_encode(const stretch *s, bytes *out) {
    bool over = s->state == STRETCH_OVER && !s->interrupted;
    bytes_put_number(out, s->piece);
    bytes_put_number(out, over);
    bytes_put_number(out, over ? s->end : EXPLORATION_COMPLETE);
    bytes_put_number(out, s->whole && !over);
    bytes_put_number(out, over ? 0 : s->work.size);
    bool good = over || stored_get(&s->work, out);
    tally_encode(&s->tally, out);
    return good;
}

void stretch_decode(stretch *s, byte_reader *r) {
    s->piece = (uint32_t)bytes_take_number(r, UINT32_MAX);
    s->state = bytes_take_flag(r) ? STRETCH_OVER : STRETCH_WAITS;
    s->end = (enum exploration_end)bytes_take_number(r, EXPLORATION_FOREIGN);
    s->whole = bytes_take_flag(r);
    byte_reader block = bytes_take_block(r);
    bytes work = {0};
    bytes_take_rest(&block, &work);
    stored_put(&s->work, &work);
    tally_decode(&s->tally, r);
    bool has_work = s->work.size != 0, complete = s->end == EXPLORATION_COMPLETE;
    bool ended = complete || s->end == EXPLORATION_STOPPED || s->end == EXPLORATION_STEP_BOUND;
    bool possible = s->state == STRETCH_OVER ? ended && !s->whole && !has_work
                                             : complete && s->whole != has_work;
    r->failed = r->failed || !possible;
}

void stretch_report_free(stretch_report *r) {
    tally_free(&r->tally);
    bytes_free(&r->kept);
    bytes_free(&r->given);
}

void stretch_report_encode(const stretch_report *r, bytes *out) {
    bytes_put_number(out, r->event);
    bytes_put_number(out, r->end);
    tally_encode(&r->tally, out);
    bytes_put_block(out, &r->kept);
    bytes_put_block(out, &r->given);
}

void stretch_report_decode(stretch_report *r, byte_reader *bytes) {
    *r = (stretch_report){
        .event = (enum stretch_event)bytes_take_number(bytes, STRETCH_EVENT_COUNT - 1)};
    r->end = (enum exploration_end)bytes_take_number(bytes, EXPLORATION_FOREIGN);
    tally_decode(&r->tally, bytes);
    byte_reader kept = bytes_take_block(bytes), given = bytes_take_block(bytes);
    bytes_take_rest(&kept, &r->kept);
    bytes_take_rest(&given, &r->given);
}
