// serve.c: HTTP on loopback, for the holder of a token.
// In: routes, and who answers them. Out: their answers, until SIGINT or SIGTERM.
//
// libmicrohttpd speaks HTTP, in this one thread (MHD_run); answers come from processes of their own (apart.c),
// meanwhile the connection sleeps. There are no files: a path is one of the routes, byte for byte as it was sent, or it
// is not found. The order of the questions: is it for us (Host, Origin), does it know the token, is there such a route,
// does it take this method, is a POST one of our own page (its header, its type), is it small enough. Invariant:
// nothing is printed of a request: its path has the token.
#include "reports/serve.h"

#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTIONS_MOST = 64,
    UNFINISHED_MOST = 32,    // of these, newest first, that may still have to send their request: one more finds room
    HEADERS_MOST = 32 << 10, // bytes of memory for a connection
    IDLE_SECONDS = 30,       // without a byte either way
    REQUEST_SECONDS = 15,    // until a request is whole
    LEAVING_SECONDS = 10,    // for what is under way when we are told to stop
    DRAIN_BYTES = 1 << 20,   // of a body that is too large: read, so that the sender hears why
};

typedef struct Server Server;
typedef struct Client { // a connection
    struct Client *next;
    struct MHD_Connection *connection;
    double until; // its request must be whole by then; 0: it is
} Client;
typedef struct PendingRequest {  // a request
    struct PendingRequest *next; // of those being answered
    Server *server;
    struct MHD_Connection *connection;
    char *uri;          // as sent
    const Route *route; // set once everything is known but the body
    bool begun;         // its headers were looked at
    Buffer body;
    size_t received;           // of the body, though not all may be kept
    bool apart_runs, answered; // an answer is being worked out; is there
    Apart apart;
    Answer answer;
} PendingRequest;

struct Server {
    const Service *service;
    Listening listening;
    struct MHD_Daemon *daemons[2]; // of the sockets
    Client *clients;
    PendingRequest *running; // those whose answers are being worked out
    u32 unsent;              // requests that are whole and not answered to the end
    int signals;             // a descriptor that tells of SIGINT and SIGTERM
    double leaving;          // when we must be gone; 0: nobody told us to go
};

const char *request_argument(const Request *self, const char *name) {
    return MHD_lookup_connection_value((struct MHD_Connection *)self->connection, MHD_GET_ARGUMENT_KIND, name);
}

// "gzip, deflate, br"; not "gzip;q=0".
bool request_takes_gzip(const Request *request) {
    const char *words =
        MHD_lookup_connection_value((struct MHD_Connection *)request->connection, MHD_HEADER_KIND, "Accept-Encoding");
    const char *gzip = words ? strstr(words, "gzip") : NULL;
    return gzip && strncmp(gzip + 4, ";q=0", 4);
}

void serve_token(char out[SERVE_TOKEN]) {
    u8 bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        fatal("the system has no random numbers for us: %s", strerror(errno));
    for (u32 i = 0; i < sizeof bytes; i++)
        sprintf(out + 2 * i, "%02x", bytes[i]);
}

void answer_error(Answer *self, u32 status, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    self->status = status;
    self->body.size = 0;
    strcpy(self->type, "application/json");
    *self->file_name = *self->policy = 0;
    buffer_text(&self->body, "{\"error\":");
    buffer_json(&self->body, text, strlen(text));
    buffer_text(&self->body, "}\n");
}

// answers -------------------------------------------------------------------------

static void add_headers(struct MHD_Response *response, const Answer *answer) {
    static const char *const always[][2] = {{"Cache-Control", "no-store"},
                                            {"X-Content-Type-Options", "nosniff"},
                                            {"Referrer-Policy", "no-referrer"},
                                            {"X-Frame-Options", "DENY"},
                                            {"Cross-Origin-Opener-Policy", "same-origin"},
                                            {"Cross-Origin-Resource-Policy", "same-origin"}};
    char text[sizeof answer->policy + 96];
    for (u32 i = 0; i < sizeof always / sizeof *always; i++)
        MHD_add_response_header(response, always[i][0], always[i][1]);
    snprintf(text, sizeof text, "%s; frame-ancestors 'none'",
             *answer->policy ? answer->policy : "default-src 'none'; base-uri 'none'; form-action 'none'");
    MHD_add_response_header(response, "Content-Security-Policy", text);
    if (*answer->type)
        MHD_add_response_header(response, "Content-Type", answer->type);
    snprintf(text, sizeof text, "attachment; filename=\"%s\"", answer->file_name);
    if (*answer->file_name)
        MHD_add_response_header(response, "Content-Disposition", text);
    if (answer->packed)
        MHD_add_response_header(response, "Content-Encoding", "gzip");
    if (answer->status == 503)
        MHD_add_response_header(response, "Retry-After", "2");
    if (answer->status == 405)
        MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, Answer *answer) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(answer->body.size, answer->body.bytes, MHD_RESPMEM_MUST_FREE);
    if (!response)
        return MHD_NO;
    answer->body = (Buffer){0};
    add_headers(response, answer);
    enum MHD_Result sent = MHD_queue_response(connection, answer->status, response);
    MHD_destroy_response(response);
    return sent;
}

// checks --------------------------------------------------------------------------

typedef struct {
    const char *name;  // of the header that is looked for
    const char *value; // its last
    u32 count;         // how often it is there
} Header;

static enum MHD_Result gather(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    Header *header = context;
    (void)kind;
    if (!strcasecmp(name, header->name)) {
        header->count++;
        header->value = value ? value : "";
    }
    return MHD_YES;
}

static Header find_header(const PendingRequest *self, const char *name) {
    Header header = {name, "", 0};
    MHD_get_connection_values(self->connection, MHD_HEADER_KIND, gather, &header);
    return header;
}

static bool is_for_us(const PendingRequest *self) {
    static const char scheme[] = "http://";
    u32 port = self->server->listening.port;
    Header host = find_header(self, "Host"), origin = find_header(self, "Origin");
    if (host.count != 1 || !is_our_host(host.value, port))
        return false;
    return !origin.count || (origin.count == 1 && !strncmp(origin.value, scheme, sizeof scheme - 1) &&
                             is_our_host(origin.value + sizeof scheme - 1, port));
}

static bool is_token(const PendingRequest *self, const char *text, size_t length) {
    return length == SERVE_TOKEN - 1 && same_secret(text, self->server->service->token, SERVE_TOKEN - 1);
}

// Byte for byte as it was sent: nothing of a path is ever decoded or made shorter.
static const Route *find_route(const PendingRequest *self) {
    const char *path = self->uri;
    size_t token = *path == '/' ? strcspn(path + 1, "/?") : 0;
    if (!is_token(self, path + 1, token) || path[1 + token] != '/')
        return NULL;
    path += token + 2;
    size_t length = strcspn(path, "?");
    const Route *route = self->server->service->routes;
    while (route->path && (strlen(route->path) != length || memcmp(route->path, path, length)))
        route++;
    return route->path ? route : NULL;
}

static bool is_json(const char *type) {
    static const char json[] = "application/json";
    size_t length = strcspn(type, "; \t");
    return length == sizeof json - 1 && !strncasecmp(type, json, length);
}

// Whether it is answered at all; if not, the answer says why not.
static bool is_allowed(PendingRequest *self, const char *method) {
    bool posts = !strcmp(method, "POST");
    const Route *route = is_for_us(self) ? find_route(self) : NULL;
    Header token = find_header(self, "X-Racerx-Token"), length = find_header(self, "Content-Length");
    if (!is_for_us(self))
        answer_error(&self->answer, 403, "this is not for other names than those of this machine, or for other pages");
    else if (!route)
        answer_error(&self->answer, 404, "there is nothing here");
    else if (route->posts ? !posts : strcmp(method, "GET") && strcmp(method, "HEAD"))
        answer_error(&self->answer, 405, "it is read with GET; verdicts are given with POST");
    else if (posts && (token.count != 1 || !is_token(self, token.value, strlen(token.value))))
        answer_error(&self->answer, 403, "X-Racerx-Token must be the token of the address");
    else if (posts && !is_json(find_header(self, "Content-Type").value))
        answer_error(&self->answer, 415, "Content-Type must be application/json");
    else if (length.count > 1 || strtoull(length.value, NULL, 10) > DRAIN_BYTES)
        answer_error(&self->answer, 413, "a request has at most %u bytes", SERVE_BODY);
    else
        self->route = route;
    return self->route;
}

// requests ------------------------------------------------------------------------

static Client *client_of(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static void *begin_request(void *context, const char *uri, struct MHD_Connection *connection) {
    PendingRequest *self = must_zero(sizeof *self);
    self->server = context;
    self->connection = connection;
    self->uri = must_strdup(uri);
    return self;
}

static void end_request(void *context, struct MHD_Connection *connection, void **place,
                        enum MHD_RequestTerminationCode code) {
    PendingRequest *self = *place;
    (void)context, (void)code;
    client_of(connection)->until = clock_seconds() + REQUEST_SECONDS; // for the next one
    if (!self)
        return;
    self->server->unsent -= self->apart_runs || self->answered;
    buffer_free(&self->body);
    buffer_free(&self->answer.body);
    free(self->uri);
    free(self);
    *place = NULL;
}

static enum MHD_Result receive(PendingRequest *self, const char *bytes, size_t size) {
    self->received += size;
    if (self->received <= SERVE_BODY)
        buffer_put(&self->body, bytes, size);
    return self->received <= DRAIN_BYTES ? MHD_YES : MHD_NO;
}

// The request is whole: from here on the connection sleeps until the answer is there.
static enum MHD_Result answer_apart(PendingRequest *self) {
    const Service *service = self->server->service;
    Request request = {.path = self->route->path,
                       .body = self->body.size ? self->body.bytes : (const u8 *)"",
                       .size = self->body.size,
                       .connection = self->connection};
    client_of(self->connection)->until = 0;
    if (self->received > SERVE_BODY) {
        answer_error(&self->answer, 413, "a request has at most %u bytes", SERVE_BODY);
        return send_answer(self->connection, &self->answer);
    }
    service->before(service->context);
    if (!apart_begin(&self->apart, self->route, service->context, &request)) {
        answer_error(&self->answer, 503, "%s", self->route->late);
        return send_answer(self->connection, &self->answer);
    }
    self->apart_runs = true;
    self->next = self->server->running;
    self->server->running = self;
    self->server->unsent++;
    MHD_suspend_connection(self->connection);
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *bytes, size_t *size, void **place) {
    PendingRequest *self = *place;
    (void)context, (void)url, (void)version;
    if (!self->begun) {
        self->begun = true;
        return is_allowed(self, method) ? MHD_YES : send_answer(connection, &self->answer);
    }
    if (*size) {
        enum MHD_Result result = receive(self, bytes, *size);
        *size = 0;
        return result;
    }
    if (self->apart_runs)
        return MHD_YES;
    return self->answered ? send_answer(connection, &self->answer) : answer_apart(self);
}

static void finish_apart(PendingRequest **place) {
    PendingRequest *pending = *place;
    *place = pending->next;
    apart_end(&pending->apart, pending->route, &pending->answer);
    pending->apart_runs = false;
    pending->answered = true;
    MHD_resume_connection(pending->connection);
}

// connections ---------------------------------------------------------------------

static void note_connection(void *context, struct MHD_Connection *connection, void **place,
                            enum MHD_ConnectionNotificationCode code) {
    Server *self = context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        Client *client = must_zero(sizeof *client);
        *client = (Client){self->clients, connection, clock_seconds() + REQUEST_SECONDS};
        *place = self->clients = client;
        return;
    }
    Client **at = &self->clients;
    while (*at != *place)
        at = &(*at)->next;
    Client *gone = *at;
    *at = gone->next;
    free(gone);
}

// Whoever sends a request byte by byte loses the connection, at once when many do.
static void drop_slow(Server *self) {
    double now = clock_seconds();
    u32 newer = 0;
    for (Client *client = self->clients; client; client = client->next, newer++)
        if (client->until && (client->until < now || newer >= UNFINISHED_MOST))
            shutdown(MHD_get_connection_info(client->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                     SHUT_RDWR);
}

// the loop ------------------------------------------------------------------------

static struct MHD_Daemon *start(Server *self, int file) {
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK, 0, NULL, NULL, handle, self,
        MHD_OPTION_LISTEN_SOCKET, file, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MOST,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADERS_MOST, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_URI_LOG_CALLBACK, begin_request, self, MHD_OPTION_NOTIFY_COMPLETED, end_request, self,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, self, MHD_OPTION_END);
    if (!daemon)
        fatal("the HTTP library cannot start: %s", strerror(errno));
    return daemon;
}

static void watch_signals(Server *self) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); // a browser that leaves in the middle of an answer ends nothing
    self->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (self->signals < 0)
        fatal("cannot watch for signals: %s", strerror(errno));
}

// The first time: no new connections, the rest is finished. The second time: now.
static void heed_signal(Server *self) {
    struct signalfd_siginfo info;
    if (read(self->signals, &info, sizeof info) != sizeof info)
        return;
    if (self->leaving) {
        self->leaving = clock_seconds();
        return;
    }
    self->leaving = clock_seconds() + LEAVING_SECONDS;
    for (u32 i = 0; i < 2; i++)
        if (self->daemons[i])
            close(MHD_quiesce_daemon(self->daemons[i]));
}

static int watch_files(Server *self, fd_set *reads, fd_set *writes, fd_set *exceptions) {
    int most = self->signals;
    FD_ZERO(reads);
    FD_ZERO(writes);
    FD_ZERO(exceptions);
    FD_SET(self->signals, reads);
    for (PendingRequest *at = self->running; at; at = at->next) {
        FD_SET(at->apart.pipe, reads);
        most = at->apart.pipe > most ? at->apart.pipe : most;
    }
    for (u32 i = 0; i < 2; i++)
        if (self->daemons[i])
            check(MHD_get_fdset(self->daemons[i], reads, writes, exceptions, &most) == MHD_YES);
    return most;
}

// At most a second, and no longer than the library can wait.
static struct timeval patience(const Server *self) {
    MHD_UNSIGNED_LONG_LONG least = 1000, wanted;
    for (u32 i = 0; i < 2; i++)
        if (self->daemons[i] && MHD_get_timeout(self->daemons[i], &wanted) == MHD_YES && wanted < least)
            least = wanted;
    return (struct timeval){(time_t)(least / 1000), (suseconds_t)(least % 1000 * 1000)};
}

static void step(Server *self) {
    fd_set reads, writes, exceptions;
    int most = watch_files(self, &reads, &writes, &exceptions);
    struct timeval wait = patience(self);
    if (select(most + 1, &reads, &writes, &exceptions, &wait) < 0) {
        if (errno != EINTR)
            die("select: %s", strerror(errno));
        return;
    }
    for (PendingRequest **at = &self->running; *at;)
        if (FD_ISSET((*at)->apart.pipe, &reads) && apart_read(&(*at)->apart))
            finish_apart(at);
        else
            at = &(*at)->next;
    for (u32 i = 0; i < 2; i++)
        if (self->daemons[i])
            MHD_run_from_select(self->daemons[i], &reads, &writes, &exceptions);
    drop_slow(self);
    if (FD_ISSET(self->signals, &reads))
        heed_signal(self);
}

static void stop(Server *self) {
    while (self->running) { // told twice, or it takes too long: only what is being written is waited for
        if (!self->running->route->posts)
            kill(self->running->apart.process, SIGKILL);
        finish_apart(&self->running);
    }
    for (u32 i = 0; i < 2; i++)
        if (self->daemons[i])
            MHD_stop_daemon(self->daemons[i]);
    close(self->signals);
}

void serve(const Service *service) {
    Server self = {.service = service};
    char url[96];
    watch_signals(&self);
    listen_on_loopback(&self.listening, service->port);
    for (u32 i = 0; i < 2; i++)
        if (self.listening.sockets[i] >= 0)
            self.daemons[i] = start(&self, self.listening.sockets[i]);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/%s/", self.listening.port, service->token);
    service->ready(service->context, url);
    while (!self.leaving || (self.unsent && clock_seconds() < self.leaving))
        step(&self);
    stop(&self);
}
