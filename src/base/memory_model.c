#include "base/memory_model.h"

#include <stdint.h>

#include "base/text.h"

static const char *const models[MODEL_COUNT] = {
    [MODEL_SC] = "sc", [MODEL_TSO] = "tso", [MODEL_RA] = "ra", [MODEL_RC11] = "rc11"};

static const char *const orders[ACCESS_ORDER_COUNT] = {[ORDER_SEQ_CST] = "seq_cst",
                                                       [ORDER_RELAXED] = "relaxed",
                                                       [ORDER_ACQUIRE] = "acquire",
                                                       [ORDER_RELEASE] = "release",
                                                       [ORDER_ACQ_REL] = "acq_rel"};

const char *memory_model_word(enum memory_model model) {
    return models[model];
}

const char *memory_model_title(enum memory_model model) {
    static const char *const titles[MODEL_COUNT] = {[MODEL_SC] = "sequential consistency",
                                                    [MODEL_TSO] = "memory model TSO",
                                                    [MODEL_RA] = "memory model RA",
                                                    [MODEL_RC11] = "memory model RC11"};
    return titles[model];
}

bool memory_model_of(const char *word, enum memory_model *model) {
    uint32_t found = text_find(word, models, MODEL_COUNT);
    *model = found < MODEL_COUNT ? found : MODEL_SC;
    return found < MODEL_COUNT;
}

const char *access_order_word(enum access_order order) {
    return orders[order];
}

bool access_order_of(const char *word, enum access_order *order) {
    uint32_t found = text_find(word, orders, ACCESS_ORDER_COUNT);
    *order = found < ACCESS_ORDER_COUNT ? found : ORDER_SEQ_CST;
    return found < ACCESS_ORDER_COUNT;
}

bool access_order_may_read(enum access_order order) {
    return order != ORDER_RELEASE && order != ORDER_ACQ_REL;
}

bool access_order_may_write(enum access_order order) {
    return order != ORDER_ACQUIRE && order != ORDER_ACQ_REL;
}

enum access_order access_order_failing(enum access_order order) {
    return order == ORDER_ACQ_REL ? ORDER_ACQUIRE : order == ORDER_RELEASE ? ORDER_RELAXED : order;
}

static bool acquires(enum access_order order) {
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL;
}

static bool releases(enum access_order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL;
}

enum access_order access_order_join(enum access_order a, enum access_order b) {
    if (a == ORDER_SEQ_CST || b == ORDER_SEQ_CST) {
        return ORDER_SEQ_CST;
    }
    bool acquire = acquires(a) || acquires(b), release = releases(a) || releases(b);
    return acquire && release ? ORDER_ACQ_REL
           : acquire          ? ORDER_ACQUIRE
           : release          ? ORDER_RELEASE
                              : ORDER_RELAXED;
}
