/* Memory models, and C11's memory orders. docs/MEMORY-MODELS.md describes what each model
 * allows. */
#ifndef HEDDLE_BASE_MEMORY_MODEL_H
#define HEDDLE_BASE_MEMORY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Which values a load may return. */
enum memory_model { MODEL_SC, MODEL_TSO, MODEL_RA, MODEL_RC11, MODEL_COUNT };

/* Of an atomic access or a fence; the default is seq_cst. */
enum access_order {
    ORDER_SEQ_CST,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ACCESS_ORDER_COUNT,
};

/* The word for a model or an order, and the inverse; false if the word is unknown. */
const char *memory_model_word(enum memory_model);
const char *memory_model_title(enum memory_model); /* for reports */
bool memory_model_of(const char *word, enum memory_model *);
const char *access_order_word(enum access_order);
bool access_order_of(const char *word, enum access_order *);

/* Whether reads (and failing compare-and-swaps), or writes, may have that order in C11. */
bool access_order_may_read(enum access_order);
bool access_order_may_write(enum access_order);
/* The failure order of a compare-and-swap that specifies only one order. */
enum access_order access_order_failing(enum access_order);

/* The weakest order that is at least as strong as both. */
enum access_order access_order_join(enum access_order, enum access_order);

/* The compare-and-swap specifies no separate failure order. */
static inline bool access_order_covers_failure(enum access_order order, enum access_order failure) {
    return access_order_failing(order) == failure;
}

/* A change that is tried at a place of the program (report/hint.h): its access has a stronger order
 * (also when it fails, unless it has a separate failure order), or a stronger failure order, or a
 * fence of that order comes before it. */
typedef struct order_change {
    uint32_t location;
    uint8_t order;
    bool fence, failure;
} order_change;

#endif
