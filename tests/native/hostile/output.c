/* What a program may do to the way heddle prints: a locale with decimal commas, wide output, other
 * buffers, closed streams. It has a bug besides, which must be reported. */
#include <assert.h>
#include <locale.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
    setlocale(LC_ALL, "de_DE.UTF-8");
    fwide(stdout, 1);
    assert(!"output");
    return 0;
}
