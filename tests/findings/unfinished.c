/* Computes for longer than the watchdog waits. */
int main(void) {
    unsigned long count = 0;
    while (count + 1) count++;
    return 0;
}
