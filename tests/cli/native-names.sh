#!/bin/bash
# Names from the debug information: locals, blocks of the heap and what points to them, threads, files, call stacks.
. "$(dirname "$0")/../library.sh"

cat > locals.c << 'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
enum colour { RED, GREEN };
typedef struct job { int done; double cost; bool ready; char tag; enum colour colour; int slots[3]; struct job *next; } job;
struct queue { int *items; struct job *first; };
static int *shared;
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int *into) {
    int mine[4] = {0};
    int *p = mine;
    shared = p;
    *into += mine[2];
}
static void *first(void *argument) {
    job *j = argument;
    int sum = 0;
    pthread_mutex_lock(&m);
    shared = &sum;
    add(&sum);
    j->slots[1] = 7, j->cost = 2.5, j->ready = true, j->tag = 'x', j->colour = GREEN, j->next = j;
    pthread_mutex_unlock(&m);
    return NULL;
}
static void *second(void *argument) {
    struct queue *q = malloc(sizeof *q);
    q->items = malloc(3 * sizeof(int));
    int *one = malloc(sizeof(int));
    void *raw = malloc(24);
    pthread_mutex_lock(&m);
    q->items[2] = 5;
    shared = &q->items[2];
    shared = one;
    *one = 4;
    shared = raw;
    *shared = 6;
    q->first = argument;
    free(q->items);
    pthread_mutex_unlock(&m);
    free(one), free(raw), free(q);
    return NULL;
}
int main(void) {
    pthread_t a, b;
    job work = {0};
    pthread_create(&a, NULL, first, &work);
    pthread_create(&b, NULL, second, &work);
    pthread_setname_np(b, "helper");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total);
}
EOF
expect 1 "$heddle" check --full --schedule=found locals.c
while IFS= read -r line; do
    grep -qF -- "$line" out || fail "the counterexample does not have: $line"
done << 'EOF'
total, in main, thread main [assertion]
T1 first
T2 helper
write shared = &T1's sum
write shared = a local of T1
write work.slots[1] = 7
write work.cost = 2.5
write work.ready = true
write work.tag = 120 'x'
write work.colour = GREEN
write work.next = &work
write T2's q->items[2] = 5
write shared = &T2's q->items[2]
write shared = T2's one
write *T2's one = 4
write shared = block of 24 bytes from locals.c:31
write block of 24 bytes from locals.c:31 = 6
write T2's q->first = &work
free T2's q->items
free T2's one
EOF
expect 1 "$heddle" replay found

# Thread-local variables, by whoever touches them.
cat > own.c << 'EOF'
#include <assert.h>
#include <pthread.h>
static _Thread_local struct { int a, b; } own;
static int *where;
static void *t(void *p) { *(int *)p = 8; where = &own.b; own.b = 1; return NULL; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, t, &own.b);
    pthread_join(thread, NULL);
    assert(own.b == 9);
}
EOF
expect 1 "$heddle" check own.c
says out 'write own\.b = 8'
says out "write where = &T1's own\.b"

# Each call of a function has its own local; the call stack; the end of a local that others know.
cat > calls.c << 'EOF'
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int *where;
static void *touch(void *unused) {
    _Atomic int *p = where;
    if (p) *p = 3;
    return unused;
}
static void nest(int depth) {
    _Atomic int x = depth;
    where = &x;
    if (depth) nest(depth - 1);
}
static void *outer(void *unused) {
    nest(1);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, outer, NULL);
    pthread_create(&b, NULL, touch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
EOF
expect 1 "$heddle" check --full -k calls.c
says out "write where = &T1's x#2"
says out "end of T1's x"
says out 'end of the stack of T1'
says out 'use after free: .*, in thread T2 '

# Threads that start with the same function are distinguished by their numbers alone; several files are named.
cat > take.c << 'EOF'
int *shared_value(void);
void take(void) { *shared_value() += 1; }
EOF
cat > user.c << 'EOF'
#include <pthread.h>
void take(void);
static int value;
int *shared_value(void) { return &value; }
static void *same(void *unused) { take(); return unused; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, same, NULL);
    pthread_create(&b, NULL, same, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
EOF
expect 1 "$heddle" check --json=report.json user.c take.c
says out '^   step  main +T1 +T2$'
says out ' user\.c:8: pthread_create'
says out ' take\.c:2: void take'
says out '^  Call stack of T[12]: take \(take\.c:2\), same \(user\.c:5\)$'
cp report.json out
json '[.errors[0].stack[] | [.function, .line]] == [["take", 2], ["same", 5]] and all(.errors[0].threads[]; .role == null)'

# What a thread does wrong without a step of its own is shown where it is.
cat > wrong.c << 'EOF'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;
static void *t(void *p) {
#ifdef MUTEX
    pthread_mutex_unlock(&m);
#elif defined RWLOCK
    pthread_rwlock_unlock(&r);
#elif defined STATUS
    exit(3);
#else
    pthread_mutex_lock(&m);
    free(p);
    pthread_mutex_unlock(&m);
#endif
    return NULL;
}
int main(void) {
    pthread_t a, b;
    int *p = malloc(4 * sizeof *p);
    pthread_create(&a, NULL, t, p);
    pthread_create(&b, NULL, t, p);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
EOF
expect 1 "$heddle" check -DMUTEX wrong.c
says out '^> +[0-9]+ +wrong unlock m +7: '
expect 1 "$heddle" check -DRWLOCK wrong.c
says out '^> +misuse of a primitive +9: pthread_rwlock_unlock'
expect 1 "$heddle" check -DSTATUS --exit-status wrong.c
says out '^wrong\.c:11:5: error: the program ends with status 3, in thread T1 '
expect 1 "$heddle" check wrong.c
says out '^> +double free +14: free\(p\);'

# Two blocks that are allocated in one line have the names of the variables that get them.
cat > one_line.c << 'END'
#include <pthread.h>
#include <stdlib.h>
struct node { int value; };
static struct node *shared;
static void *work(void *unused) { shared->value = 1; return unused; }
int main(void) {
    pthread_t thread;
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    int *number = malloc(sizeof(int)); struct node *last = calloc(1, sizeof(struct node));
    *number = 1;
    last->value = 3;
    first->value = 1;
    shared = second;
    pthread_create(&thread, NULL, work, NULL);
    second->value = 2;
    pthread_join(thread, NULL);
    return 0;
}
END
expect 1 "$heddle" check one_line.c
says out 'data race on second->value'
says out 'write last->value = 3'
says out 'write shared = second'

# A library that was compiled in a directory of its own: its lines are found, values in its large
# block are shown, and those that are no text are not written as one.
mkdir -p library/source build
cat > library/source/pool.c << 'END'
#include <pthread.h>
#include <stdlib.h>
struct item { struct item *next; long number; };
static struct item *in_pool(char *pool) { return (struct item *)(pool + 128); }
void put(char *pool) {
    in_pool(pool)->next = in_pool(pool);
    in_pool(pool)->number = 7;
}
long get(char *pool) { return in_pool(pool)->next->number; }
END
cat > user.c << 'END'
#include <assert.h>
#include <stdlib.h>
void put(char *);
long get(char *);
int main(void) {
    char *pool = malloc(8192);
    put(pool);
    assert(get(pool) != 7);
    free(pool);
}
END
(cd library && expect 0 "$heddle" cc -c -o source/pool.o source/pool.c)
(cd build && expect 0 "$heddle" cc -c -o ../user.o ../user.c)
expect 0 "$heddle" cc -o user user.o library/source/pool.o
expect 1 "$heddle" check user
says out '^user\.c:8:'
says out 'write pool\[128\] = &pool\[128\] +pool\.c:6: in_pool'
says out 'read pool\[128\] -> &pool\[128\] +pool\.c:9: long get'
says out 'read pool\[136\] -> 7 '

# Blocks of programs that allocate by functions of their own belong to the callers of these: what hands
# memory on returns a void *, and what keeps a part of the block for itself leaves no name for the rest.
cat > wrapped.c << 'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct queue { int head; int *slots; };
typedef struct item { struct item *next; int value; } item;
#define NEW(type) ((type *)cleared(sizeof(type)))
typedef void *memory;
static memory checked(size_t size) {
    void *p = malloc(size);
    return p ? p : (abort(), p);
}
static void *cleared(size_t size) { return memset(checked(size), 0, size); }
static void *counted(size_t size) {
    size_t *p = checked(size + sizeof *p);
    *p = size;
    return p + 1;
}
static void *marked(size_t size) {
    char *p = checked(16 + size);
    return p + 16;
}
static void *offset(size_t size) {
    void *p = checked(size + 16);
    return (char *)p + 16;
}
static struct queue *queue_new(void) {
    struct queue *q = cleared(sizeof *q);
    q->slots = cleared(3 * sizeof *q->slots);
    return q;
}
static void *node_of(int value) { /* hands on what it knows */
    item *own = NEW(item);
    own->value = value;
    return own;
}
static struct queue *shared, *behind;
static item *one, *two;
static void *work(void *unused) {
    void *raw = malloc(40);
    shared->slots[1] = 1;
    memset(raw, 1, 1), one->value = 2, two->value = 3, behind->head = 4;
    free(raw);
    return unused;
}
int main(void) {
    pthread_t thread;
    shared = queue_new();
    one = NEW(item);
    two = node_of(7);
    behind = offset(sizeof *behind);
    *(int *)counted(8) = *(int *)marked(8);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    free(one);
    one->value++;
}
END
for flags in "" -fomit-frame-pointer; do
    expect 1 "$heddle" check --full --no-race-check ${flags:+"$flags"} wrapped.c
    says out 'of a heap block of 16 bytes, allocated by main at wrapped\.c:48, freed by main at wrapped\.c:54'
    says out 'write q->head \(16 bytes\)'
    says out 'write q->slots = block of 12 bytes from wrapped\.c:28'
    says out 'write block of 12 bytes from wrapped\.c:28 \+ 4 = 1'
    says out 'write one->value = 2'
    says out 'write own->value = 7'
    says out 'write two = own'
    says out 'write own->value = 3'
    says out 'write block of 32 bytes from wrapped\.c:50 \+ 16 = 4'
    says out 'write block of 16 bytes from wrapped\.c:14 = 8 '
    says out 'write block of 40 bytes from wrapped\.c:39'
done

# Such a function may keep the address in a pointer to bytes, if it returns that.
cat > bytes.c << 'END'
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct pool { int running, left; };
static void *bytes(size_t size) {
    uint8_t *place = NULL;
    place = malloc(size);
    if (!place) {
        abort();
    }
    return (place);
}
static struct pool *pool;
static void *work(void *unused) {
    char *text = malloc(4);
    text[0] = 'a';
    pool->left = 1;
    free(text);
#ifdef LATE
    text[0] = 'b';
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pool = bytes(sizeof *pool);
    pthread_create(&thread, NULL, work, NULL);
    pool->left = 2;
    return pthread_join(thread, NULL);
}
END
expect 1 "$heddle" check --full bytes.c
says out "data race on pool->left"
expect 1 "$heddle" check --full --no-race-check -DLATE bytes.c
says out 'of a heap block of 4 bytes, allocated by T1 at bytes\.c:15'

# Arrays whose size is known late, or not at all; rows of a matrix; functions of libc; members of a union
# that only the source distinguishes.
cat > late.c << 'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
struct argument { int id; long sum; };
struct inner { short a; char b; };
struct message { size_t length; int kinds[]; };
struct line { struct line *next; char tag, text[]; };
struct nested { int n; struct inner parts[0]; };
struct shape { int kind; union { struct { float width, height; } box; int sides[3]; double area; }; };
static struct message *m;
static struct line *l;
static struct nested *s;
static struct shape shape;
static int **rows, (*grid)[3], (*show)(const char *), (*compare)(const char *, const char *);
static char *middle;
static void *work(void *p) {
    struct argument *a = p;
    a->sum = a->id * 10;
    m->kinds[3] = 7, l->text[12] = 'q', s->parts[2].b = 'x';
    middle = &l->text[12];
    rows[1][2] = 5, grid[1][2] = 6;
    show = puts, compare = strcasecmp;
    shape.box.height = 2.5f, shape.area = 0.5, shape.sides[2] = 4;
    return p;
}
static void *twice(void *p) {
#ifdef RACE
    shape.sides[1] = 2;
#endif
    return p;
}
static void run(int n) {
    pthread_t threads[n];
    struct argument arguments[n];
    int numbers[n][3];
    grid = numbers;
    arguments[1].id = 1;
    rows = malloc(n * sizeof *rows);
    rows[1] = malloc(3 * sizeof **rows);
    m = calloc(1, sizeof *m + 4 * sizeof(int)); /* as large as three */
    l = calloc(1, sizeof(struct line) + 20);
    s = malloc(sizeof *s + 4 * sizeof(struct inner));
    m->length = 4;
    pthread_create(&threads[0], NULL, twice, NULL);
    pthread_create(&threads[1], NULL, work, &arguments[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(arguments[1].sum == 11);
}
int main(void) { run(2); }
END
expect 1 "$heddle" check --full late.c
while IFS= read -r line; do
    grep -qF -- "$line" out || fail "the counterexample does not have: $line"
done << 'END'
write arguments[1].id = 1
write arguments[1].sum = 10
write m->length = 4
write m->kinds[3] = 7
write l->text[12] = 113 'q'
write s->parts[2].b = 120 'x'
write middle = &l->text[12]
write rows[1][2] = 5
write numbers[1][2] = 6
write show = &puts
write compare = &strcasecmp
write shape.{box.height, sides[1]} = 2.5, 1075838976
write shape.area = 0.5
write shape.sides[2] = 4
END
expect 1 "$heddle" check --full -DRACE late.c
says out 'data race on shape\.\{box\.height, sides\[1\]\}: '
for name in shape shape.box shape.sides shape.box.height; do
    expect 1 "$heddle" check -DRACE --ignore-race=$name --ignore-race=shape.area late.c
    says out 'assertion failed'
done

# A name of more than 63 letters is not cut.
cat > long.c << 'END'
#include <pthread.h>
#include <stdlib.h>
struct node_with_a_long_name { int *the_value_that_every_thread_of_this_program_looks_at_again_and_again; };
static struct node_with_a_long_name node;
static void *work(void *unused) { return node.the_value_that_every_thread_of_this_program_looks_at_again_and_again ? unused : 0; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    node.the_value_that_every_thread_of_this_program_looks_at_again_and_again = malloc(8);
    pthread_join(thread, 0);
}
END
COLUMNS=200 expect 1 "$heddle" check long.c
says out 'node\.the_value_that_every_thread_of_this_program_looks_at_again_and_again = its block'
