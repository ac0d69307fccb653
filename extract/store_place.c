// store_place.c: where the database is.
// In: a path, or none. Out: the path of a file that is one's own: the default place here, or of a directory above,
// never through a link.
#include "extract/store_place.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *store_join(const char *first, const char *second) {
    Buffer out = {0};
    buffer_text(&out, first);
    buffer_text(&out, second);
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

// Absolute, so that no name means something special to SQLite, and resolved, so that two names of
// one database share one lock.
char *store_resolve(const char *path, const char *shown) {
    char *real = realpath(path, NULL);
    if (real)
        return real;
    if (errno != ENOENT)
        fatal("cannot use the database %s: %s", shown, strerror(errno));
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *above = must_strdup(path);
    above[name - path] = 0;
    char *directory = realpath(*above ? above : ".", NULL);
    if (!directory)
        fatal("cannot make the database %s: its directory: %s", shown, strerror(errno));
    if (!*name)
        fatal("cannot make the database %s: it is a directory", shown);
    char *with_slash = store_join(directory, directory[1] ? "/" : "");
    char *out = store_join(with_slash, name);
    free(with_slash);
    free(directory);
    free(above);
    return out;
}

static char *found_above; // the default database of a directory above this one; NULL: not looked for, or there is none

// Somebody else's database is not taken for one's own.
static bool is_own_file(const char *path) {
    struct stat info;
    return !lstat(path, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid();
}

const char *store_default(void) {
    char *here = found_above || !access(STORE_DEFAULT_PATH, F_OK) ? NULL : realpath(".", NULL);
    while (here && !found_above && strrchr(here, '/')) {
        *strrchr(here, '/') = 0;
        char *path = store_join(here, "/" STORE_DEFAULT_PATH);
        if (is_own_file(path))
            found_above = path;
        else
            free(path);
    }
    free(here);
    return found_above ? found_above : STORE_DEFAULT_PATH;
}

// The default place may be in a tree of somebody else's: nothing is made or read through a link that stands there.
const char *store_place(StoreMode mode) {
    struct stat info;
    const char *path = mode == STORE_READ ? store_default() : found_above ? found_above : STORE_DEFAULT_PATH;
    if (mode != STORE_READ && !found_above && mkdir(".racerx", 0777) && errno != EEXIST)
        fatal("cannot make .racerx here: %s; name a database elsewhere with --db FILE", strerror(errno));
    static const char *const names[] = {".racerx", STORE_DEFAULT_PATH};
    for (u32 i = 0; i < 2; i++)
        if (!found_above && !lstat(names[i], &info) && S_ISLNK(info.st_mode))
            fatal("%s is a link: name the database it leads to with --db FILE", names[i]);
    return path;
}

bool store_is_free(const char *path) {
    char *full = realpath(path ? path : store_default(), NULL), *lock = full ? store_join(full, ".lock") : NULL;
    char *slash = full ? strrchr(full, '/') : NULL;
    bool nobody = full && !access(full, W_OK) && access(lock, F_OK);
    if (slash)
        *slash = 0;
    bool is_free = nobody && slash && !access(*full ? full : "/", W_OK);
    free(full);
    free(lock);
    return is_free;
}
