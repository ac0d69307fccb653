// output.c: what all commands need to print: flushing that notices failure, numbers people can read.
#include "racerx/command.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

void finish_output(void) {
    if (fflush(stdout) || ferror(stdout))
        fatal("cannot write standard output: %s", strerror(errno ? errno : EIO));
}

void write_output(const Buffer *out) {
    if (out->size && fwrite(out->bytes, 1, out->size, stdout) != out->size)
        fatal("cannot write standard output: %s", strerror(errno));
    finish_output();
}

bool colour_wanted(FILE *out) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no_colour && *no_colour) && terminal && strcmp(terminal, "dumb") && isatty(fileno(out));
}

u32 output_width(FILE *out) {
    const char *columns = getenv("COLUMNS");
    unsigned long said = columns ? strtoul(columns, NULL, 10) : 0;
    struct winsize size;
    if (said >= 20 && said <= 10000)
        return (u32)said;
    if (isatty(fileno(out)) && !ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col >= 20)
        return size.ws_col;
    return 80;
}

const char *grouped(u64 value, char buffer[32]) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *at = buffer;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = 0;
    return buffer;
}

const char *human_bytes(u64 value, char buffer[32]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double amount = (double)value;
    u32 unit = 0;
    while (amount >= 1024 && unit < 4) {
        amount /= 1024;
        unit++;
    }
    snprintf(buffer, 32, "%.*f %s", unit ? 1 : 0, amount, units[unit]);
    return buffer;
}
