/* Where the sites of the program begin and end, in a variable that heddle looks up. */
#include "targets/native/sites.h"

extern site begin[] __asm__("__start_" SITES_SECTION) __attribute__((weak, visibility("hidden")));
extern site end[] __asm__("__stop_" SITES_SECTION) __attribute__((weak, visibility("hidden")));

extern site *const bounds[2] __asm__(SITES_BOUNDS);
site *const bounds[2] = {begin, end};
