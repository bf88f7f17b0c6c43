/* Memory models, and the orders of C11 that they are about. docs/MEMORY-MODELS.md says what each
 * allows. */
#ifndef HEDDLE_BASE_MEMORY_MODEL_H
#define HEDDLE_BASE_MEMORY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Which values a load may return. */
enum memory_model { MODEL_SC, MODEL_TSO, MODEL_RA, MODEL_RC11, MODEL_COUNT };

/* Of an atomic access or a fence; what says nothing is seq_cst. */
enum access_order {
    ORDER_SEQ_CST,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ACCESS_ORDER_COUNT,
};

/* The word of a model or an order, and what a word means; false if nothing. */
const char *memory_model_word(enum memory_model);
const char *memory_model_title(enum memory_model); /* for people */
bool memory_model_of(const char *word, enum memory_model *);
const char *access_order_word(enum access_order);
bool access_order_of(const char *word, enum access_order *);

/* What reads (and compare-and-swaps that fail), and what writes may have, as C11 says. */
bool access_order_may_read(enum access_order);
bool access_order_may_write(enum access_order);
/* Of a compare-and-swap that says nothing else for when it fails. */
enum access_order access_order_failing(enum access_order);

/* Both orders together are at least this one. */
enum access_order access_order_join(enum access_order, enum access_order);

/* A compare-and-swap says nothing else for when it fails. */
static inline bool access_order_covers_failure(enum access_order order, enum access_order failure) {
    return access_order_failing(order) == failure;
}

/* What is tried out at a place of the program (report/hint.h): its access has a stronger order
 * (also when it fails, unless it says something else for that), or a stronger one when it fails, or
 * a fence of that order comes before it. */
typedef struct order_change {
    uint32_t location;
    uint8_t order;
    bool fence, failure;
} order_change;

#endif
