#include "supervise/message.h"

#include <string.h>

static uint64_t checksum_of(const frame *f, const unsigned char *content) {
    frame header = *f;
    header.checksum = content ? bytes_checksum(content, (size_t)f->size) : 0;
    return bytes_checksum(&header, sizeof header);
}

frame frame_make(enum message_type type, uint32_t process, uint32_t sequence,
                 const bytes *content) {
    frame f = {.magic = FRAME_MAGIC,
               .type = (uint32_t)type,
               .process = process,
               .sequence = sequence,
               .size = content->content.count};
    f.checksum = checksum_of(&f, f.size ? content->content.items : NULL);
    return f;
}

void inbox_free(inbox *i) {
    bytes_free(&i->bytes);
}

void inbox_break(inbox *i, const char *complaint) {
    if (!i->broken) {
        i->complaint = complaint;
    }
    i->broken = true;
}

bool inbox_has_rest(const inbox *i) {
    return i->start < i->bytes.content.count;
}

/* Removes what was taken before: the rest moves to the start. */
static void discard_taken(inbox *i) {
    vector_remove(&i->bytes.content, 0, i->start);
    i->start = 0;
}

void inbox_add(inbox *i, const void *start, size_t size) {
    discard_taken(i);
    if (i->broken || !size) {
        return;
    }
    if (i->bytes.content.count + size > MESSAGE_MOST_BYTES + sizeof(frame)) {
        inbox_break(i, "a message is too long");
        return;
    }
    vector_reserve(&i->bytes.content, i->bytes.content.count + (uint32_t)size);
    memcpy(i->bytes.content.items + i->bytes.content.count, start, size);
    i->bytes.content.count += (uint32_t)size;
}

/* What is wrong with a frame, or NULL. */
static const char *frame_complaint(const inbox *i, const frame *f) {
    return f->magic != FRAME_MAGIC         ? "a message has a wrong beginning"
           : f->type >= MESSAGE_TYPE_COUNT ? "a message has an unknown type"
           : f->process != i->process      ? "a message comes from another process"
           : f->sequence != i->sequence    ? "a message is missing, or came twice"
           : f->size > MESSAGE_MOST_BYTES  ? "a message is too long"
                                           : NULL;
}

bool inbox_take(inbox *i, enum message_type *type, byte_reader *content) {
    frame f;
    uint32_t there = i->bytes.content.count - i->start;
    if (i->broken || there < sizeof f) {
        return false;
    }
    memcpy(&f, i->bytes.content.items + i->start, sizeof f);
    const char *complaint = frame_complaint(i, &f);
    if (complaint) {
        inbox_break(i, complaint);
        return false;
    }
    if (there - sizeof f < f.size) {
        return false;
    }
    const unsigned char *start = i->bytes.content.items + i->start + sizeof f;
    if (checksum_of(&f, f.size ? start : NULL) != f.checksum) {
        inbox_break(i, "the checksum of a message is wrong");
        return false;
    }
    i->start += (uint32_t)(sizeof f + f.size);
    i->sequence++;
    *type = (enum message_type)f.type;
    *content = byte_reader_of(start, (size_t)f.size);
    return true;
}
