#include "report/writers/style.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool is_terminal(FILE *stream) {
    return isatty(fileno(stream));
}

bool style_wants_colour(enum color wanted, FILE *out) {
    const char *forbidden = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if (wanted != COLOR_AUTO) {
        return wanted == COLOR_ALWAYS;
    }
    return is_terminal(out) && !(forbidden && *forbidden) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

static const char *const codes[] = {
    [EMPHASIS_NONE] = "",         [EMPHASIS_STRONG] = "\033[1m", [EMPHASIS_ERROR] = "\033[1;31m",
    [EMPHASIS_GOOD] = "\033[32m", [EMPHASIS_FAINT] = "\033[2m",
};

void style_begin(const style *s, enum emphasis emphasis, FILE *out) {
    if (s->colour) {
        fputs(codes[emphasis], out);
    }
}

void style_end(const style *s, enum emphasis emphasis, FILE *out) {
    if (s->colour && emphasis != EMPHASIS_NONE) {
        fputs("\033[0m", out);
    }
}
