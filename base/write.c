// write.c: whole files, written so that nothing is lost and nothing foreign is touched.
// In: a path that the user named, bytes. Out: the file, whole; or the old one as it was, and why.
// Only a regular file is replaced, by one that was whole under a fresh name beside it. A device, a pipe or our own
// standard output (/dev/stdout) is written to. A link to a file is refused: what lies behind it is not what was named.
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

bool descriptor_write(int file, const void *bytes, size_t size) {
    for (const char *at = bytes; size;) {
        ssize_t wrote = write(file, at, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            errno = wrote ? errno : ENOSPC;
            return false;
        }
        at += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

// Of a device or a pipe: nothing is made, nothing cut.
static const char *write_into(const char *path, const void *bytes, size_t size) {
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    bool written = file >= 0 && descriptor_write(file, bytes, size);
    const char *why = written ? NULL : strerror(errno);
    if (file >= 0 && close(file) && written)
        why = strerror(errno);
    return why;
}

// One of the three descriptors that were given to us leads there: /dev/stdout of a redirected command.
static int own_descriptor(const struct stat *target) {
    struct stat own;
    for (int i = 1; i <= 2; i++)
        if (!fstat(i, &own) && own.st_dev == target->st_dev && own.st_ino == target->st_ino)
            return i;
    return -1;
}

// A name that nobody can have foreseen, and that is not there: what is planted under it is not followed.
static int open_fresh(const char *path, Buffer *name, mode_t mode) {
    for (u32 tries = 0; tries < 100; tries++) {
        u64 number = 0;
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            number = hash_mix((u64)getpid(), (u64)(clock_seconds() * 1e9) + tries);
        name->size = 0;
        buffer_format(name, "%s.%08x.partial", path, (u32)number);
        buffer_byte(name, 0);
        int file = open((char *)name->bytes, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static const char *replace(const char *path, const struct stat *before, const void *bytes, size_t size) {
    Buffer name = {0};
    int file = open_fresh(path, &name, before ? before->st_mode & 0777 : 0666);
    if (file < 0) {
        buffer_free(&name);
        return strerror(errno);
    }
    bool written =
        (!before || !fchmod(file, before->st_mode & 0777)) && descriptor_write(file, bytes, size) && !fsync(file);
    const char *why = written ? NULL : strerror(errno);
    if (close(file) && !why)
        why = strerror(errno);
    if (!why && rename((char *)name.bytes, path))
        why = strerror(errno);
    if (why)
        unlink((char *)name.bytes);
    buffer_free(&name);
    return why;
}

const char *file_write(const char *path, const void *bytes, size_t size) {
    struct stat named, target;
    bool is_link = !lstat(path, &named) && S_ISLNK(named.st_mode), there = !stat(path, &target);
    if (there && S_ISDIR(target.st_mode))
        return "it is a directory";
    if (there && !S_ISREG(target.st_mode))
        return write_into(path, bytes, size);
    int own = is_link && there ? own_descriptor(&target) : -1;
    if (own >= 0)
        return descriptor_write(own, bytes, size) ? NULL : strerror(errno);
    if (is_link)
        return "it is a link: name the file itself, or remove the link";
    return replace(path, there ? &target : NULL, bytes, size);
}
