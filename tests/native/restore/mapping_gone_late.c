// bug use-after-free: without the race check, the order in which the part is gone occurs
// options: -D_GNU_SOURCE --no-race-check
#include "mapping_part_race.c"
