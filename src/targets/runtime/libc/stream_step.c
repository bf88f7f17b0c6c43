#include "targets/runtime/libc/stream_step.h"

#include "targets/runtime/kernel/location.h"
#include "targets/runtime/kernel/ranges.h"
#include "targets/runtime/libc/files.h"
#include "targets/runtime/libc/memory_streams.h"

/* NULL: it is none of the table. */
static const open_file *item_of(FILE *stream) {
    uintptr_t offset = (uintptr_t)stream - (uintptr_t)files_table()->items;
    bool found = offset < FILES_MAX * sizeof(open_file) && offset % sizeof(open_file) == 0;
    return found ? (const open_file *)stream : NULL;
}

void stream_require(FILE *stream, const void *here) {
    bool standard = stream == stdin || stream == stdout || stream == stderr;
    if (!standard && !memory_streams_is(stream) && !item_of(stream)) {
        reads(stream, sizeof *stream, here); /* as libc would */
        touches(stream);
    }
}

void stream_step(FILE *stream, const void *here) {
    if (memory_streams_is(stream)) {
        memory_streams_step(stream, here);
        return;
    }
    stream_require(stream, here);
    files_step(here);
    const open_file *file = item_of(stream);
    CHECK(!file || file->stream <= FILES_MAX); /* a descriptor + 1 */
    if (file && !file->open && !file->stream && runtime.current) {
        runtime_fail(runtime.current, ERROR_MISUSE, location_of(here),
                     "use of a stream that was closed");
    }
}
