/* Objects and threads in bytes that another process reads.
 *
 * A process numbers objects as it encounters them. Bytes that leave the process therefore name each
 * object once, by the name that the target has for it in every process (target_names), and then use
 * the index of that name in the list. Threads keep their numbers: the bytes contain what the target
 * has learnt, and the reader refuses them unless it can give the same numbers to the same threads.
 * (Choices, addresses of stacks and heaps and pointers in memory depend on them too, so that it
 * would not suffice to translate numbers.) */
#ifndef HEDDLE_EXPLORE_NAMES_H
#define HEDDLE_EXPLORE_NAMES_H

#include "base/bytes.h"
#include "explore/target.h"

typedef struct name_writer {
    target *target;
    bytes body;               /* what refers to names */
    VECTOR(uint32_t) objects; /* in the order of their first use */
    VECTOR(uint32_t) places;  /* by object: index in `objects` + 1, or 0 */
    uint32_t thread_count;    /* greater than all that occur */
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

/* Reads what was written. Anything that does not fit makes the byte reader fail. */
typedef struct name_reader {
    byte_reader *bytes;
    uint32_t thread_count;
    VECTOR(uint32_t) objects;
    VECTOR(memory_access) accesses;
} name_reader;

/* Reads what was learnt and the names; the body comes next. */
void name_reader_open(name_reader *, target *, byte_reader *);
void name_reader_free(name_reader *);

uint32_t names_take_thread(name_reader *);
uint32_t names_take_choice(name_reader *);
uint32_t names_take_object(name_reader *);
footprint names_take_footprint(name_reader *);

#endif
