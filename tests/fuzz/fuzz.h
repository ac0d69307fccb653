// fuzz.h: what fuzz targets share. A mistake in what they read ends racerx with fatal(): here it ends the input.
#ifndef RACERX_FUZZ_H
#define RACERX_FUZZ_H

#include "base/base.h"

#include <setjmp.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
const char *__asan_default_options(void);
// Most of the time would go to memory that is put aside; what fatal() leaves behind is no leak of racerx's.
const char *__asan_default_options(void) { return "quarantine_size_mb=8:malloc_context_size=6:detect_leaks=0"; }

static jmp_buf fuzz_way_out;
static void fuzz_leave(void) { longjmp(fuzz_way_out, 1); }
// if (fuzz_try()) { what may end with fatal() }
#define fuzz_try()                                                                                                     \
    (fatal_hook = fuzz_leave, diag_set_quiet(true), setenv("RACERX_ABORT", "1", 1), !setjmp(fuzz_way_out))

typedef struct {
    int file;      // in memory
    char path[40]; // by which it can be opened
} FuzzFile;

static FuzzFile fuzz_file(const u8 *data, size_t size) {
    FuzzFile out = {memfd_create("fuzz", 0), ""};
    check(out.file >= 0 && (!size || write(out.file, data, size) == (ssize_t)size));
    snprintf(out.path, sizeof out.path, "/proc/self/fd/%d", out.file);
    return out;
}

#endif
