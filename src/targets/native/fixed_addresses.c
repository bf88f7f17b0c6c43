#include "targets/native/fixed_addresses.h"

#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

#define QUERY  0xffffffffu
#define MARKER "HEDDLE_FIXED_ADDRESSES" /* it was tried: never twice, whether it worked or not */

void fixed_addresses(char **argv) {
    int present = personality(QUERY);
    if (getenv(MARKER) || present < 0 || (present & ADDR_NO_RANDOMIZE) ||
        personality((unsigned long)present | ADDR_NO_RANDOMIZE) < 0) {
        unsetenv(MARKER);
        return;
    }
    setenv(MARKER, "1", 1);
    execv("/proc/self/exe", argv);
    unsetenv(MARKER);
}

bool fixed_addresses_are_on(void) {
    int present = personality(QUERY);
    return present >= 0 && (present & ADDR_NO_RANDOMIZE);
}
