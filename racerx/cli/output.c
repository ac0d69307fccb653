// output.c: what all commands need to print: flushing that notices failure, numbers people can read.
#include "racerx/cli/command.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WHOLE_LINES 10000 // columns: nothing is cut for whoever reads a pipe

void finish_output(void) {
    if (fflush(stdout) || ferror(stdout))
        fatal("cannot write standard output: %s", strerror(errno ? errno : EIO));
}

void write_output(const Buffer *out) {
    if (out->size && fwrite(out->bytes, 1, out->size, stdout) != out->size)
        fatal("cannot write standard output: %s", strerror(errno));
    finish_output();
}

static u32 terminal_rows(void) { // 0: it is none, or nobody knows
    struct winsize size;
    return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? size.ws_row : 0;
}

static u32 count_lines(const Buffer *out) {
    u32 lines = 0;
    for (size_t i = 0; i < out->size; i++)
        lines += out->bytes[i] == '\n';
    return lines;
}

void page_output(const Buffer *out) {
    const char *pager = getenv("RACERX_PAGER"), *terminal = getenv("TERM");
    pager = pager ? pager : getenv("PAGER");
    pager = pager ? pager : "less";
    u32 rows = terminal_rows();
    if (!rows || count_lines(out) < rows || !*pager || !terminal || !strcmp(terminal, "dumb")) {
        write_output(out);
        return;
    }
    setenv("LESS", "FRX", 0); // colours, and nothing is cleared at the end
    signal(SIGPIPE, SIG_IGN); // who has seen enough leaves
    FILE *reader = popen(pager, "w");
    size_t written = reader ? fwrite(out->bytes, 1, out->size, reader) : 0;
    int status = reader ? pclose(reader) : -1;
    if (!written || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        write_output(out); // there is no such pager
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

u32 list_width(FILE *out) { return isatty(fileno(out)) || getenv("COLUMNS") ? output_width(out) : WHOLE_LINES; }

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
