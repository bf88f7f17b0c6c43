#include "base/choice_path.h"

void choice_path_start(choice_path *p, uint32_t number) {
    vector_clear(&p->choices);
    p->used = 0;
    p->left = number;
}

uint32_t choice_path_choose(choice_path *p, uint32_t count) {
    CHECK(count && p->used <= p->choices.count);
    if (p->used == p->choices.count) {
        vector_push(&p->choices, (path_choice){p->left % count, count});
        p->left /= count;
    }
    DEBUG_CHECK(vector_at(&p->choices, p->used).count == count);
    return vector_at(&p->choices, p->used++).chosen;
}

bool choice_path_number(const choice_path *p, uint32_t *number) {
    uint64_t sum = 0, factor = 1;
    for (uint32_t i = 0; i < p->choices.count; i++) {
        sum += vector_at(&p->choices, i).chosen * factor;
        factor *= vector_at(&p->choices, i).count;
        if (factor >= UINT32_MAX) {
            return false;
        }
    }
    *number = (uint32_t)sum;
    return true;
}

bool choice_path_next(choice_path *p, uint32_t decided) {
    while (p->choices.count > decided) {
        path_choice *last = &vector_last(&p->choices);
        CHECK(last->chosen < last->count);
        if (++last->chosen < last->count) {
            return true;
        }
        p->choices.count--;
    }
    return false;
}

void choice_path_free(choice_path *p) {
    vector_free(&p->choices);
}
