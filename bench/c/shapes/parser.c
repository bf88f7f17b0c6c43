/* Every thread parses and evaluates an expression of its own, and adds the result to a total. */
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 5
#endif

static const char source[] =
    "1+2*(3+4*(5+6))-7*(8-(9+10)*2)+11*12-(13+14)*(15-16)+17*(18+19*(20-21))"
    "+22*23-24*(25+26)-(27-28*(29+30))+31*(32-33)+(34+35)*(36-37)+38*39-40";

typedef struct node {
    struct node *left, *right;
    long value;
    char operator;
} node;

typedef struct parser {
    const char *at;
} parser;

static long total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static node *make(char operator, node * left, node *right, long value) {
    node *made = malloc(sizeof *made);
    *made = (node){left, right, value, operator};
    return made;
}

static node *parse_sum(parser *p);

static node *parse_factor(parser *p) {
    if (*p->at == '(') {
        p->at++;
        node *inner = parse_sum(p);
        p->at++;
        return inner;
    }
    long value = 0;
    while (*p->at >= '0' && *p->at <= '9') {
        value = value * 10 + (*p->at++ - '0');
    }
    return make(0, NULL, NULL, value);
}

static node *parse_product(parser *p) {
    node *left = parse_factor(p);
    while (*p->at == '*') {
        p->at++;
        left = make('*', left, parse_factor(p), 0);
    }
    return left;
}

static node *parse_sum(parser *p) {
    node *left = parse_product(p);
    while (*p->at == '+' || *p->at == '-') {
        char operator= * p->at++;
        left = make(operator, left, parse_product(p), 0);
    }
    return left;
}

static long evaluate(node *n) {
    long left = n->left ? evaluate(n->left) : 0, right = n->right ? evaluate(n->right) : 0;
    long value = n->operator== '*'   ? left * right
                 : n->operator== '+' ? left + right
                 : n->operator== '-' ? left - right
                                     : n->value;
    free(n);
    return value;
}

static void *work(void *unused) {
    parser p = {source};
    long value = evaluate(parse_sum(&p));
    pthread_mutex_lock(&lock);
    total += value;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    total = 0;
    for (int i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
    }
    assert(total % N == 0);
    return 0;
}
