#include "report/rough.h"

#include <math.h>

void rough_number(text *out, double number) {
    static const struct {
        double size;
        const char *word;
    } words[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
    double unit = number >= 10 ? pow(10, floor(log10(number)) - 1) : 1;
    double rounded = round(number / unit) * unit;
    if (rounded >= 1e15) {
        text_format(out, "%.0e", rounded);
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (rounded >= words[i].size) {
            text_format(out, "%.3g %s", rounded / words[i].size, words[i].word);
            return;
        }
    }
    text_format(out, "%.0f", rounded);
}

void rough_range(text *out, const forecast *f) {
    text_append(out, "between ");
    rough_number(out, f->low);
    text_append(out, " and ");
    rough_number(out, f->high);
}

void rough_forecast(text *out, const forecast *f) {
    text_append(out, "about ");
    rough_number(out, f->likely);
    text_append(out, " (");
    rough_range(out, f);
    text_append(out, ")");
}

void rough_time(text *out, double seconds) {
    static const struct {
        double size;
        const char *word;
    } units[] = {{365 * 86400.0, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (seconds >= 2 * units[i].size) {
            rough_number(out, seconds / units[i].size);
            text_format(out, " %s", units[i].word);
            return;
        }
    }
    text_format(out, "%.0f s", seconds);
}
