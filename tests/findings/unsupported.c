/* Calls what heddle does not control. */
#include <unistd.h>

int main(void) {
    return fork() < 0;
}
