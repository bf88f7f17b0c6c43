// verified: the array environ shows what setenv and its relatives change
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ, **__environ;

static int find(const char *text) {
    int count = 0;
    for (char **v = environ; v && *v; v++) {
        count += strcmp(*v, text) == 0;
    }
    return count;
}

int main(int argc, char **argv, char **environment) {
    (void)argc, (void)argv;
    static char text[] = "HEDDLE_Y=3";
    assert(environ == environment && __environ == environ && !find("HEDDLE_X=1"));
    setenv("HEDDLE_X", "1", 1);
    assert(find("HEDDLE_X=1") == 1 && strcmp(getenv("HEDDLE_X"), "1") == 0);
    assert(environ == __environ);
    setenv("HEDDLE_X", "2", 1);
    assert(find("HEDDLE_X=1") == 0 && find("HEDDLE_X=2") == 1);
    putenv(text);
    assert(find("HEDDLE_Y=3") == 1);
    unsetenv("HEDDLE_X");
    assert(find("HEDDLE_X=2") == 0 && getenv("PATH"));
    clearenv();
    assert(!environ || !*environ);
    setenv("A", "b", 0);
    assert(strcmp(environ[0], "A=b") == 0 && !environ[1]);
    return 0;
}
