/* Writes what came out as one page that needs nothing else: no network, no other file. The page
 * shows a finding as a timeline with a lane for each thread, beside the source, and steps through
 * it; the program that does so is page/page.js, its looks page/page.css, its elements
 * page/body.html. They are part of the executable (.incbin). What they show is one JSON object in
 * the page (page_data.h). Without JavaScript there is the text of the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "report/writers/page_data.h"
#include "report/writers/source.h"
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
    source source = {0};
    style plain = style_plain();
    char *buffer = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&buffer, &size);
    CHECK(stream != NULL);
    for (uint32_t i = 0; i < o->findings.count; i++) {
        text_report_finding(&vector_at(&o->findings, i), &source, &plain, stream);
        fputc('\n', stream);
    }
    text_report_summary(o, &plain, stream);
    fclose(stream);
    append_escaped(out, buffer);
    free(buffer);
    source_free(&source);
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
