/* Numbers of which only two digits are known, for people. */
#ifndef HEDDLE_REPORT_ROUGH_H
#define HEDDLE_REPORT_ROUGH_H

#include "base/forecast.h"
#include "base/text.h"

/* 33000, 2.7 million, 1e+21. */
void rough_number(text *, double number);

/* Between 900000 and 8.1 million. */
void rough_range(text *, const forecast *);

/* About 2.7 million (between 900000 and 8.1 million). */
void rough_forecast(text *, const forecast *);

/* 40 s, 12 min, 3 h, 2 days, 5e+03 years. */
void rough_time(text *, double seconds);

#endif
