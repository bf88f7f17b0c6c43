/* Nobody sets the flag. */
#include "spin.h"

static atomic_int flag;

int main(void) {
    while (!atomic_load(&flag)) {
    }
}
