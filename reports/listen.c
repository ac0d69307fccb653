// listen.c: sockets that only this machine reaches, and what may be asked of them.
// In: the port wanted. Out: sockets of the loopback addresses.
//
// Loopback alone keeps nobody out: any page in the reviewer's browser can send requests here, under a name of its own
// that it lets lead to 127.0.0.1 if need be. So the Host must be one of ours, and an Origin, too; and other users of
// the machine do not know the token.
#include "reports/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

// A socket on an address; -1 and errno when it cannot be.
static int listen_at(const struct sockaddr *address, socklen_t size) {
    int one = 1, file = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one); // connections of a review before this one may linger
    if (address->sa_family == AF_INET6)
        setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (!bind(file, address, size) && !listen(file, 64))
        return file;
    int why = errno;
    close(file);
    errno = why;
    return -1;
}

static int listen_at_4(u32 port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((u16)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return listen_at((const struct sockaddr *)&address, sizeof address);
}

static int listen_at_6(u32 port) {
    struct sockaddr_in6 address = {
        .sin6_family = AF_INET6, .sin6_port = htons((u16)port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    return listen_at((const struct sockaddr *)&address, sizeof address);
}

static u32 port_of(int file) {
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    check(!getsockname(file, (struct sockaddr *)&address, &size));
    return ntohs(address.sin_port);
}

void listen_on_loopback(Listening *self, u32 port) {
    int file = listen_at_4(port ? port : SERVE_PORT);
    if (file < 0 && port && errno == EADDRINUSE)
        fatal("port %u is taken: name another with --port, or none to have one picked", port);
    if (file < 0 && port)
        fatal("cannot listen on port %u: %s; name another with --port, or none to have one picked", port,
              strerror(errno));
    if (file < 0)
        file = listen_at_4(0);
    if (file < 0)
        fatal("cannot listen on 127.0.0.1: %s", strerror(errno));
    self->port = port_of(file);
    if (!port && self->port != SERVE_PORT)
        note("port %u is taken: this is on port %u", SERVE_PORT, self->port);
    self->sockets[0] = file;
    self->sockets[1] = listen_at_6(self->port); // a convenience: the address that is printed is the other
}

bool is_our_host(const char *text, u32 port) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char ours[32];
    for (u32 i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(ours, sizeof ours, "%s:%u", names[i], port);
        if (!strcasecmp(text, ours) || (port == 80 && !strcasecmp(text, names[i]))) // browsers leave the usual port out
            return true;
    }
    return false;
}

bool same_secret(const char *a, const char *b, size_t length) {
    volatile u8 difference = 0;
    for (size_t i = 0; i < length; i++)
        difference |= (u8)(a[i] ^ b[i]);
    return !difference;
}
