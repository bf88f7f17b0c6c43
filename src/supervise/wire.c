#include "supervise/wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

typedef struct packet {
    uint32_t generation;
    unsigned char content[WIRE_PACKET_MOST - sizeof(uint32_t)];
} packet;

static const size_t HEADER = offsetof(packet, content);

void wire_open(wire *w, int descriptor, uint32_t generation) {
    *w = (wire){
        .descriptor = descriptor, .generation = generation, .inbox = {.process = generation}};
}

void wire_free(wire *w) {
    inbox_free(&w->inbox);
}

/* ---- sending ---- */

static bool send_packet(int descriptor, const packet *p, size_t size) {
    ssize_t sent;
    do {
        sent = send(descriptor, p, HEADER + size, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

static bool send_bytes(const wire *w, const unsigned char *from, size_t size) {
    packet p = {.generation = w->generation};
    bool sent = true;
    while (size && sent) {
        size_t piece = size < sizeof p.content ? size : sizeof p.content;
        memcpy(p.content, from, piece);
        sent = send_packet(w->descriptor, &p, piece);
        from += piece;
        size -= piece;
    }
    return sent;
}

bool wire_send(wire *w, enum message_type type, const bytes *content) {
    frame f = frame_make(type, w->generation, w->sequence++, content);
    return send_bytes(w, (const unsigned char *)&f, sizeof f) &&
           send_bytes(w, content->content.items, content->content.count);
}

void wire_cancel(int descriptor, uint32_t generation) {
    packet p = {.generation = generation};
    send_packet(descriptor, &p, 0);
}

/* ---- receiving ---- */

static void begin(wire *w, uint32_t generation) {
    inbox_free(&w->inbox);
    wire_open(w, w->descriptor, generation);
}

bool wire_read(wire *w) {
    packet p;
    ssize_t size;
    while ((size = recv(w->descriptor, &p, sizeof p, MSG_DONTWAIT)) >= (ssize_t)HEADER) {
        bool is_later = p.generation > w->generation;
        if (is_later) {
            begin(w, p.generation);
        }
        if (p.generation == w->generation) {
            inbox_add(&w->inbox, p.content, (size_t)size - HEADER);
        }
        if (is_later) {
            return true;
        }
    }
    return size < 0 && (errno == EAGAIN || errno == EINTR);
}

bool wire_is_open(int descriptor) {
    struct pollfd end = {.fd = descriptor};
    return poll(&end, 1, 0) >= 0 && !(end.revents & (POLLHUP | POLLERR | POLLNVAL));
}
