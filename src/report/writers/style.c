#include "report/writers/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool style_is_passed_on;

bool is_terminal(FILE *stream) {
    return !style_is_passed_on && isatty(fileno(stream));
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

/* The first of these variables that is set decides. */
static bool writes_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) {
            return strstr(value, "UTF-8") || strstr(value, "utf8");
        }
    }
    return false;
}

uint32_t style_width(FILE *out) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long width = columns ? strtol(columns, NULL, 10) : 0;
    if (is_terminal(out) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col) {
        width = size.ws_col;
    }
    if (width <= 0 || width > UINT16_MAX) {
        width = STYLE_PLAIN_WIDTH;
    }
    return (uint32_t)width;
}

/* Reports are not made for narrower ones. */
static uint32_t report_width(FILE *out) {
    uint32_t width = style_width(out);
    return width < STYLE_LEAST_WIDTH ? STYLE_LEAST_WIDTH : width;
}

style style_for(const settings *s, FILE *out) {
    return (style){.colour = style_wants_colour(s->color, out),
                   .lines = is_terminal(out) && writes_utf8(),
                   .full = s->full,
                   .wraps = is_terminal(out),
                   .width = report_width(out)};
}

style style_plain(void) {
    return (style){.width = STYLE_PLAIN_WIDTH};
}

static const char *const codes[] = {
    [EMPHASIS_NONE] = "",
    [EMPHASIS_STRONG] = "\033[1m",
    [EMPHASIS_ERROR] = "\033[1;31m",
    [EMPHASIS_GOOD] = "\033[32m",
    [EMPHASIS_FAINT] = "\033[2m",
    [EMPHASIS_THREAD] = "\033[36m",
    "\033[33m",
    "\033[35m",
    "\033[34m",
    "\033[32m",
};

enum emphasis style_of_thread(uint32_t thread) {
    uint32_t colours = sizeof codes / sizeof *codes - EMPHASIS_THREAD;
    return (enum emphasis)(EMPHASIS_THREAD + thread % colours);
}

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
