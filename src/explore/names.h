/* Objects and threads in bytes that another process reads.
 *
 * Numbers of objects are given out as a process encounters them, so bytes that leave the process
 * name each object once, by what the target calls it everywhere (target_names), and then use the
 * place of that name in the list. Threads keep their numbers: what the target has learnt goes with
 * the bytes, and the reader refuses them unless it can give the same numbers to the same threads.
 * (Choices, addresses of stacks and heaps and pointers in memory depend on them too, so that
 * translating numbers alone would not do.) */
#ifndef HEDDLE_EXPLORE_NAMES_H
#define HEDDLE_EXPLORE_NAMES_H

#include "base/bytes.h"
#include "explore/target.h"

typedef struct name_writer {
    target *target;
    bytes body;               /* what refers to names */
    VECTOR(uint32_t) objects; /* in the order of their first use */
    VECTOR(uint32_t) places;  /* by object: place in `objects` + 1, or 0 */
    uint32_t thread_count;    /* all that occur are below */
} name_writer;

void name_writer_open(name_writer *, target *);
void name_writer_free(name_writer *);

/* Appended to the body. */
void names_put_thread(name_writer *, uint32_t thread);
void names_put_choice(name_writer *, uint32_t choice);
void names_put_object(name_writer *, uint32_t object);
void names_put_footprint(name_writer *, footprint);

/* Appends what was learnt, the names, and the body. */
void name_writer_finish(const name_writer *, bytes *out);

/* Takes what was put. Whatever does not fit makes the byte reader fail. */
typedef struct name_reader {
    byte_reader *bytes;
    uint32_t thread_count;
    VECTOR(uint32_t) objects;
    VECTOR(memory_access) accesses;
} name_reader;

/* Takes what was learnt and the names; the body comes next. */
void name_reader_open(name_reader *, target *, byte_reader *);
void name_reader_free(name_reader *);

uint32_t names_take_thread(name_reader *);
uint32_t names_take_choice(name_reader *);
uint32_t names_take_object(name_reader *);
footprint names_take_footprint(name_reader *);

#endif
