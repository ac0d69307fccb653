// serve.h: what the files of the server share.
#ifndef REPORTS_SERVE_H
#define REPORTS_SERVE_H

#include "reports/reports.h"

#include <sys/types.h>

// apart.c: an answer worked out in a process of its own --------------------------------
typedef struct {
    pid_t process;
    int pipe;   // from it; its answer, or what it said on standard error
    Buffer got; // so far
} Apart;
// Starts it; false when no process can be had.
bool apart_begin(Apart *self, const Route *route, void *context, const Request *request);
bool apart_read(Apart *self); // what is there now; true: that was all
// requires: all was read, or it is not wanted any more. fills: the answer, or a 503 that says why there is none.
void apart_end(Apart *self, const Route *route, Answer *out);

// serve.c
bool request_takes_gzip(const Request *request);

// listen.c: sockets on loopback ---------------------------------------------------------
// Of IPv4 and, where there is one, of IPv6 with the same port; -1 for the latter when there is not. By port 0 as
// Service says; fatal() when it cannot be had.
typedef struct {
    u32 port;       // it became
    int sockets[2]; // listening
} Listening;
void listen_on_loopback(Listening *self, u32 port);
// Whether a Host or, after "http://", an Origin means us: a name of another machine that leads here does not.
bool is_our_host(const char *text, u32 port);
bool same_secret(const char *a, const char *b, size_t length); // in a time that does not depend on them

#endif
