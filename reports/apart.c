// apart.c: an answer worked out in a process of its own.
// In: a request. Out: its answer, through a pipe.
//
// The server has one thread and never waits. Whatever may wait for another racerx on the database, or end in fatal(),
// happens in a copy of it: that may fail or take too long, and all that follows is a 503 for one request. Ctrl-C in a
// terminal reaches the copies too; they ignore it, so that a verdict that is being written is written. Invariant: the
// server has no database open when it makes a copy; the copy opens its own.
#include "reports/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

typedef struct { // ahead of the body in the pipe
    u32 status;
    u32 packed;
    char type[sizeof((Answer *)0)->type], file_name[sizeof((Answer *)0)->file_name],
        policy[sizeof((Answer *)0)->policy];
} Head;

static bool write_all(int file, const void *bytes, size_t size) {
    for (const u8 *at = bytes; size;) {
        ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

// Standard error becomes the pipe: when we fail, what we say is what the reader is told.
static void become_apart(int pipe, u32 patience) {
    sigset_t none;
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGALRM, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    alarm(patience);
    if (dup2(pipe, STDERR_FILENO) < 0)
        _exit(3);
    close_range(STDERR_FILENO + 1, ~0u, 0); // or the sockets of others would stay open as long as we are here
    diag_set_quiet(true);
}

enum { PACKED_FROM = 64 << 10 }; // bytes: less is not worth it

// As gzip, for a browser that takes it. Quickly: the way is short.
static void pack(Answer *answer) {
    z_stream stream = {0};
    if (answer->body.size < PACKED_FROM || deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    uLong bound = deflateBound(&stream, (uLong)answer->body.size);
    Buffer packed = {0};
    buffer_reserve(&packed, bound);
    stream.next_in = answer->body.bytes;
    stream.avail_in = (uInt)answer->body.size;
    stream.next_out = packed.bytes;
    stream.avail_out = (uInt)bound;
    answer->packed = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.size = stream.total_out;
    deflateEnd(&stream);
    if (answer->packed)
        answer->body = packed;
}

static _Noreturn void work_apart(const Route *route, void *context, const Request *request) {
    Answer answer = {.status = 200};
    Head head = {0};
    route->answer(context, request, &answer);
    if (request_takes_gzip(request))
        pack(&answer);
    head.status = answer.status;
    head.packed = answer.packed;
    memcpy(head.type, answer.type, sizeof head.type);
    memcpy(head.file_name, answer.file_name, sizeof head.file_name);
    memcpy(head.policy, answer.policy, sizeof head.policy);
    bool written =
        write_all(STDERR_FILENO, &head, sizeof head) && write_all(STDERR_FILENO, answer.body.bytes, answer.body.size);
    _exit(written ? 0 : 3);
}

bool apart_begin(Apart *self, const Route *route, void *context, const Request *request) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return false;
    fflush(NULL);
    self->process = fork();
    if (!self->process) {
        become_apart(ends[1], route->patience);
        work_apart(route, context, request);
    }
    close(ends[1]);
    if (self->process < 0) {
        close(ends[0]);
        return false;
    }
    self->pipe = ends[0];
    fcntl(self->pipe, F_SETFL, O_NONBLOCK);
    return true;
}

bool apart_read(Apart *self) {
    for (;;) {
        buffer_reserve(&self->got, 1 << 16);
        ssize_t size = read(self->pipe, self->got.bytes + self->got.size, self->got.capacity - self->got.size);
        if (size > 0)
            self->got.size += (size_t)size;
        else if (!size || (errno != EINTR && errno != EAGAIN))
            return true;
        else if (errno == EAGAIN)
            return false;
    }
}

// The line it ended with, for the reader and for whoever looks at the server.
static void explain(Apart *self, const Route *route, int status, Answer *out) {
    static const char prefix[] = "racerx: ";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        answer_error(out, 503, "%s", route->late);
        return;
    }
    buffer_byte(&self->got, 0);
    char *line = (char *)self->got.bytes;
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, prefix, sizeof prefix - 1))
        line += sizeof prefix - 1;
    char *shown = quote_path(*line ? line : "this could not be answered");
    note("an answer failed (status %d): %s", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), shown);
    answer_error(out, 503, "%s", shown);
    free(shown);
}

void apart_end(Apart *self, const Route *route, Answer *out) {
    int status = 0;
    close(self->pipe);
    while (waitpid(self->process, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && !WEXITSTATUS(status) && self->got.size >= sizeof(Head)) {
        Head head;
        memcpy(&head, self->got.bytes, sizeof head);
        out->status = head.status;
        out->packed = head.packed != 0;
        memcpy(out->type, head.type, sizeof head.type);
        memcpy(out->file_name, head.file_name, sizeof head.file_name);
        memcpy(out->policy, head.policy, sizeof head.policy);
        buffer_put(&out->body, self->got.bytes + sizeof head, self->got.size - sizeof head);
    } else
        explain(self, route, status, out);
    buffer_free(&self->got);
}
