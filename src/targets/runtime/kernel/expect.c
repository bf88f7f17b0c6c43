#include "targets/runtime/kernel/expect.h"

#include <string.h>

#include "base/text.h"
#include "targets/runtime/kernel/symbols.h"
#include "targets/runtime/libc/channels.h"
#include "targets/runtime/memory/hidden.h"

enum {
    EXPECT_CLOCK = HIDDEN_PART_COUNT,
    EXPECT_CANCEL,
    EXPECT_ENDS,
    EXPECT_CHANNELS,
    EXPECT_NAMES
};

#define EXPECTS(what, names) {what, names},
static const struct {
    int what;
    const char *names;
} rows[] = {
#include "targets/runtime/libc/all.def"
};

void expect_clock(void) {
    runtime.timed = runtime.exact = true;
}

void expect_function(const char *name) {
    if (!text_starts(name, "heddle_")) {
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!symbols_listed(rows[i].names, name + 7)) {
            continue;
        }
        CHECK(rows[i].what >= 0 && rows[i].what <= EXPECT_NAMES);
        if (rows[i].what == EXPECT_CLOCK) {
            expect_clock();
        } else if (rows[i].what == EXPECT_CANCEL) {
            runtime.cancels = runtime.ends = true;
        } else if (rows[i].what == EXPECT_ENDS) {
            runtime.ends = true;
        } else if (rows[i].what == EXPECT_CHANNELS) {
            channels_expect();
        } else if (rows[i].what == EXPECT_NAMES) {
            runtime.reads_names = true;
        } else {
            hidden_expect((enum hidden_part)rows[i].what);
        }
    }
}
