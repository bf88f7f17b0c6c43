// verified: what putenv was given is not lost
// options: --leaks=error
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(20);
    strcpy(text, "HEDDLE_Y=3");
    putenv(text);
    text = NULL;
    return 0;
}
