/* Dates in static variables of libc, here the program's own (libc/time.def). */
#include <string.h>
#include <time.h>

#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/kernel/symbols.h"

_Static_assert(sizeof(struct tm) == 7 * sizeof(long), "the variable in libc/time.def");

enum { TEXT_SIZE = 64 };

struct tm *heddle_date_in(const time_t *time, bool local, struct tm *place, const void *here) {
    writes_from(place, sizeof *place, time, sizeof *time, here);
    return local ? localtime_r(time, place) : gmtime_r(time, place);
}

/* Of a time, by way of the broken-down one, or of a broken-down one. */
char *heddle_date_text_in(const time_t *time, const struct tm *date, char *text, struct tm *place,
                          const void *here) {
    char made[TEXT_SIZE];
    if (time && !(date = heddle_date_in(time, true, place, here))) {
        return NULL;
    }
    reads(date, sizeof *date, here);
    if (!asctime_r(date, made)) {
        return NULL;
    }
    size_t size = strlen(made) + 1;
    writes(text, size, here);
    return memcpy(text, made, size);
}
