// runtime_text.c: the runtime on the disk. In: its text, built in. Out: a directory with its source and a shared object
// of it, under the names that compilers look for.
//
// gcc asks its linker for libtsan.so and libtsan_preinit.o where it was told -fsanitize=thread; with this directory
// before its own it finds ours. The directory is named by a hash of the text: another racerx makes another.
#include "racerx/confirm/confirm.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char runtime_c[];

static char *path_in(const char *directory, const char *name) {
    Buffer path = {0};
    buffer_format(&path, "%s/%s", directory, name);
    buffer_byte(&path, 0);
    return (char *)path.bytes;
}

static void write_text(const char *path, const char *text) {
    const char *why = file_write(path, text, strlen(text));
    if (why)
        fatal("cannot write the runtime, %s: %s", quote_path(path), why);
}

static bool run(const char *const *words) {
    int status = 0;
    pid_t child = fork();
    if (!child) {
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

// Every directory of the path that is not there yet.
static void make_directory(const char *path) {
    char *part = must_strdup(path);
    for (char *at = part + 1; *at; at++)
        if (*at == '/') {
            *at = 0;
            mkdir(part, 0777);
            *at = '/';
        }
    if (mkdir(part, 0777) && errno != EEXIST)
        fatal("cannot make the directory %s: %s", quote_path(path), strerror(errno));
    free(part);
}

static void build(const char *compiler, const char *directory) {
    char *source = path_in(directory, "runtime.c"), *library = path_in(directory, RUNTIME_LIBRARY);
    char *other = path_in(directory, "libtsan.so"), *object = path_in(directory, "libtsan_preinit.o");
    char *empty = path_in(directory, "empty.c");
    const char *const words[] = {compiler,
                                 "-std=gnu11",
                                 "-O2",
                                 "-g",
                                 "-fPIC",
                                 "-shared",
                                 "-fno-builtin",
                                 "-fno-omit-frame-pointer",
                                 "-Wl,-soname," RUNTIME_LIBRARY,
                                 "-o",
                                 library,
                                 source,
                                 "-ldl",
                                 "-lpthread",
                                 NULL};
    const char *const nothing[] = {compiler, "-c", "-o", object, empty, NULL};
    write_text(source, runtime_c);
    write_text(empty, "typedef int nothing;\n");
    if (!run(words) || !run(nothing))
        fatal("%s cannot build the runtime in %s: see above", quote_path(compiler), quote_path(directory));
    unlink(other);
    if (symlink(RUNTIME_LIBRARY, other))
        fatal("cannot write %s: %s", quote_path(other), strerror(errno));
    free(source), free(library), free(other), free(object), free(empty);
}

void runtime_write(const char *directory) {
    const char *compiler = getenv("RACERX_CC");
    make_directory(directory);
    build(compiler && *compiler ? compiler : "gcc", directory);
}

static char *cache_place(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    Buffer path = {0};
    if (cache && *cache == '/')
        buffer_text(&path, cache);
    else if (home && *home == '/')
        buffer_format(&path, "%s/.cache", home);
    else
        fatal("there is no HOME to keep the runtime under: write it with `racerx confirm --runtime DIR` and set "
              "RACERX_RUNTIME=DIR");
    buffer_format(&path, "/racerx/runtime-%016llx", (unsigned long long)hash_bytes(runtime_c, strlen(runtime_c), 0));
    buffer_byte(&path, 0);
    return (char *)path.bytes;
}

// Several may build at once (make -j): each makes its own, the first to be done gives it its name.
char *runtime_directory(const char *compiler) {
    const char *told = getenv("RACERX_RUNTIME");
    char real[PATH_MAX];
    if (told && *told)
        return must_strdup(realpath(told, real) ? real : told);
    char *place = cache_place();
    char *library = path_in(place, RUNTIME_LIBRARY);
    if (access(library, R_OK)) {
        Buffer fresh = {0};
        buffer_format(&fresh, "%s.%ld", place, (long)getpid());
        buffer_byte(&fresh, 0);
        make_directory((char *)fresh.bytes);
        build(compiler, (char *)fresh.bytes);
        if (rename((char *)fresh.bytes, place) && access(library, R_OK))
            fatal("cannot name %s: %s", quote_path(place), strerror(errno));
        buffer_free(&fresh);
    }
    free(library);
    return place;
}
