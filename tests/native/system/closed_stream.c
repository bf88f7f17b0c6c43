/* Streams that were closed, or could not be opened, and output of no text: libc would use memory that
 * is none. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *stream;

static void *get(void *unused) {
    fgetc(stream);
    return unused;
}

static void use(FILE *of) {
    char bytes[4] = "";
    int number;
    switch (WAY) {
        case 1: fgetc(of); break;
        case 2: fputs("x", of); break;
        case 3: fprintf(of, "%d", 1); break;
        case 4: fread(bytes, 1, 2, of); break;
        case 5: fscanf(of, "%d", &number); break;
        case 6: fclose(of); break;
        case 7: ferror(of); break;
        case 8: fseek(of, 0, SEEK_SET); break;
        case 9: fileno(of); break;
        default: break;
    }
}

int main(void) {
    stream = fopen("lines", "r");
    FILE *none = fopen("nowhere", "r");
    assert(stream && !none && errno == ENOENT);
#ifdef NONE
    use(none);
#elif defined TEXT
    const char *text = NULL;
    WAY == 1 ? puts(text) : WAY == 2 ? fputs(text, stderr) : (int)fwrite(text, 1, 2, stdout);
#elif defined CLOSED
    fclose(stream);
    use(stream);
#elif defined MEANWHILE
    pthread_t thread;
    pthread_create(&thread, NULL, get, NULL);
    fclose(stream);
    pthread_join(thread, NULL);
#else /* nothing of that is an error */
    assert(fflush(NULL) == 0 && fwrite("x", 1, 0, none) == 0 && fread(&none, 0, 1, none) == 0);
    assert(close(fileno(stream)) == 0);
    assert(fgetc(stream) == EOF && fclose(stream) == EOF);
#endif
    (void)get, (void)use;
    return 0;
}
