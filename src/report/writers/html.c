/* Writes the outcome as one self-contained page: no network, no other file. The page shows a
 * finding as a timeline with a lane for each thread, next to the source, and steps through it.
 * page/page.js is its program, page/page.css its style, page/body.html its elements. They are part
 * of the executable (.incbin). What they show is one JSON object in the page (page_data.h). Without
 * JavaScript the page shows the text of the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "report/writers/page_data.h"
#include "report/writers/text_report.h"
#include "report/writers/writers.h"

EMBEDDED(html_page_body, "src/report/writers/page/body.html")
EMBEDDED(html_page_css, "src/report/writers/page/page.css")
EMBEDDED(html_page_js, "src/report/writers/page/page.js")

/* ---- the page ---- */

/* JSON in an element: no string may end it. */
static void append_json(text *out, const char *json) {
    while (*json) {
        uint32_t length = (uint32_t)strcspn(json, "<");
        text_append_bytes(out, json, length);
        json += length;
        if (*json) {
            text_append(out, "\\u003c");
            json++;
        }
    }
}

static void append_escaped(text *out, const char *words) {
    for (; *words; words++) {
        if (*words == '&' || *words == '<') {
            text_append(out, *words == '&' ? "&amp;" : "&lt;");
        } else {
            text_append_bytes(out, words, 1);
        }
    }
}

static void append_plain(text *out, const outcome *o) {
    char *report = text_report_plain(o, true);
    append_escaped(out, report);
    free(report);
}

void html_report(text *out, const settings *s, const outcome *o) {
    text data = {0};
    (void)s;
    text_append(out,
                "<!DOCTYPE html>\n<!-- heddle report -->\n<html lang=\"en\">\n<head>\n"
                "<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n<title>heddle: ");
    append_escaped(out, verdict_word(outcome_verdict(o)));
    text_append(out, "</title>\n<style>\n");
    text_append(out, html_page_css);
    text_append(out, "</style>\n</head>\n<body>\n<noscript><pre>");
    append_plain(out, o);
    text_append(out, "</pre></noscript>\n");
    text_append(out, html_page_body);
    text_append(out, "<script type=\"application/json\" id=\"data\">");
    page_data(&data, o);
    append_json(out, text_string(&data));
    text_append(out, "</script>\n<script>\n");
    text_append(out, html_page_js);
    text_append(out, "</script>\n</body>\n</html>\n");
    text_free(&data);
}
