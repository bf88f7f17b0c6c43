#include "dpor/open_sections.h"

static bool is_about(const event *e, uint32_t object) {
    return e->footprint != FOOTPRINT_EMPTY && footprint_access(e->footprint, 0).object == object;
}

/* The latest acquisition by the thread in E'.notdep(e,E) that it has not released there, or
 * POSITION_NONE. */
static uint32_t open_section(const reversal *r, uint32_t thread, uint32_t object) {
    uint32_t released = 0;
    for (uint32_t i = vector_at(&r->end, thread); i-- > 0;) {
        uint32_t position = execution_position(r->execution, thread, i);
        const event *e = execution_event(r->execution, position);
        if (!is_about(e, object)) {
            continue;
        }
        if (operation_has_role(e->kind, ROLE_RELEASES)) {
            released++;
        } else if (operation_has_role(e->kind, ROLE_TAKES) && e->acquired && released-- == 0) {
            return position;
        }
    }
    return POSITION_NONE;
}

bool open_sections_leave_out(reversal *r, uint32_t object) {
    reversal_find_events(r);
    for (uint32_t t = 0; t < execution_thread_count(r->execution); t++) {
        uint32_t position;
        while ((position = open_section(r, t, object)) != POSITION_NONE) {
            if (position < r->position) {
                return false;
            }
            reversal_leave_out(r, position);
        }
    }
    return true;
}
