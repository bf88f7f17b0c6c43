/* Processes that talk by messages.
 *
 *     enum { QUESTION, ANSWER };
 *
 *     static void server(void *unused) {
 *         int number;
 *         actor_message m;
 *         (void)unused;
 *         actor_receive(&m, &number, sizeof number, NULL);
 *         number = number * 2;
 *         actor_send_value(m.sender, ANSWER, number);
 *     }
 *
 *     int main(void) {
 *         int number = 21;
 *         actor other = actor_spawn(server, NULL);
 *         actor_send_value(other, QUESTION, number);
 *         actor_receive(NULL, &number, sizeof number, ACTOR_MATCH(.sender = other));
 *         actor_join(other);
 *         return number == 42 ? 0 : 1;
 *     }
 *
 * `heddle check program.c` explores all orders in which messages can arrive; the same source runs
 * on real threads when it is linked with -lheddle-actor -pthread. docs/ACTORS.md has the whole
 * story. */
#ifndef HEDDLE_ACTOR_H
#define HEDDLE_ACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A process. Compare with ==, put it into messages; never used again for another process. Every
 * thread is one: main, and those that pthread_create made, as soon as they ask for actor_self(). */
typedef uint32_t actor;

#define ACTOR_NONE ((actor)0)

/* The names that the linker sees carry heddle's prefix. */
#define ACTOR_LINKED_AS(name) __asm__("heddle_" #name)

/* ---- life ---- */

/* A new process that runs body(argument) and ends when that returns. */
actor actor_spawn(void (*body)(void *), void *argument) ACTOR_LINKED_AS(actor_spawn);

/* The same, but when the new process ends, the last that it does is to send its creator a message
 * with this tag and no payload. */
actor actor_spawn_monitored(void (*body)(void *), void *argument, int tag)
    ACTOR_LINKED_AS(actor_spawn_monitored);

/* The process that asks. */
actor actor_self(void) ACTOR_LINKED_AS(actor_self);

/* The process that spawned it; ACTOR_NONE for those that were not spawned. */
actor actor_parent(void) ACTOR_LINKED_AS(actor_parent);

/* Ends the process that calls it, from within any function. */
__attribute__((noreturn)) void actor_exit(void) ACTOR_LINKED_AS(actor_exit);

/* Waits for the end of a process that was spawned. Any number of processes may, at any time. */
void actor_join(actor) ACTOR_LINKED_AS(actor_join);

/* ---- messages ---- */

/* Sends a copy of the payload and continues at once. Messages from one process to another arrive in
 * the order in which they were sent. A message to a process that has ended is dropped. */
void actor_send(actor receiver, int tag, const void *data, size_t size) ACTOR_LINKED_AS(actor_send);

/* A tag alone; a variable; a struct, by its members: actor_send_struct(a, ASK, struct ask, .x = 1)
 */
#define actor_send_tag(receiver, tag) actor_send((receiver), (tag), NULL, 0)
#define actor_send_value(receiver, tag, variable) \
    actor_send((receiver), (tag), &(variable), sizeof(variable))
#define actor_send_struct(receiver, tag, type, ...) \
    actor_send((receiver), (tag), &(type){__VA_ARGS__}, sizeof(type))

typedef struct actor_message {
    int tag;
    actor sender;
    size_t size; /* of the payload */
} actor_message;

/* Whether a receive takes the message. It may look at its arguments, at what `context` points to on
 * the stack of its own process, and at constants, and at nothing else; it may be asked about the
 * same message more than once. */
typedef bool (*actor_predicate)(const actor_message *, const void *data, void *context);

/* How long a receive waits; any positive number is a time in milliseconds. heddle does not know
 * how long anything takes: a receive with any time may time out whenever nothing matches. */
enum { ACTOR_FOREVER = 0, ACTOR_NOT_AT_ALL = -1 };

enum { ACTOR_MAX_TAGS = 16 };

/* Which messages a receive takes. Members that are left out (zero) are not looked at. */
typedef struct actor_pattern {
    const int *tags; /* one of these: ACTOR_TAGS(FIRST, SECOND) */
    size_t tag_count;
    actor sender;
    actor_predicate predicate;
    void *context; /* of the predicate */
    int timeout_ms;
} actor_pattern;

/* Inside the braces of a pattern: .tags and .tag_count for a list of tags. */
#define ACTOR_TAGS(...)                 \
    .tags = (const int[]){__VA_ARGS__}, \
    .tag_count = sizeof((const int[]){__VA_ARGS__}) / sizeof(int)

/* A pattern on the spot: ACTOR_MATCH(ACTOR_TAGS(REPLY), .sender = server, .timeout_ms = 100) */
#define ACTOR_MATCH(...) (&(const actor_pattern){__VA_ARGS__})

/* Takes the earliest message that matches (NULL: anything, forever) out of the mailbox of the
 * process that calls it; all others stay there in their order. The payload is copied to `data`,
 * where there must be room for it, or left out if `data` is NULL. `message` may be NULL. False: it
 * has timed out, and neither was touched. */
bool actor_receive(actor_message *message, void *data, size_t capacity,
                   const actor_pattern *pattern) ACTOR_LINKED_AS(actor_receive);

/* Into a variable: actor_receive_value(&m, request, ACTOR_MATCH(ACTOR_TAGS(REQUEST))) */
#define actor_receive_value(message, variable, pattern) \
    actor_receive((message), &(variable), sizeof(variable), (pattern))

#ifdef __cplusplus
}
#endif

#endif
