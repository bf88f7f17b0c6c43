/* Compiled without heddle. */
int elsewhere(int x) {
    return x + 1;
}
