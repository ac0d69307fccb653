// semaphores.c: `racerx semaphores`: which semaphores lock and which signal, as the last check saw it.
#include "racerx/cli/command.h"

#include "racerx/findings/findings.h"
#include "reports/reports.h"

typedef struct {
    const char *db;
    Format format;
} SemaphoresArguments;

static int semaphores_run(const Command *self, int count, char **words) {
    SemaphoresArguments arguments = {0};
    TextArray rest = {0};
    FindingList findings;
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count)
        fatal("semaphores takes no arguments (see `racerx semaphores --help`)");
    Store *store = store_open(arguments.db, STORE_READ);
    findings_begin(&findings);
    if (!findings_load_semaphores(&findings, store))
        fatal("%s holds no findings of this version: make them with `racerx run DIR` or `racerx check`",
              arguments.db ? arguments.db : store_default());
    store_close(store);
    report_semaphores(&findings, arguments.format == FORMAT_JSONL, &out);
    write_output(&out);
    buffer_free(&out);
    findings_free(&findings);
    return 0;
}

#define AT(field) offsetof(SemaphoresArguments, field)
static const Option semaphores_options[] = {
    {OPTION_TEXT, 0, "db", "FILE", AT(db), "the database (default: " STORE_DEFAULT_PATH ")"},
    {OPTION_FORMAT, 0, "format", "FORMAT", AT(format),
     "text (default), or jsonl: one JSON object per semaphore and line"},
    {0},
};

const Command command_semaphores = {
    .name = "semaphores",
    .arguments = "",
    .summary = "list the semaphores, and whether they lock or signal",
    .details =
        "Prints, as the last `racerx run` or `racerx check` saw them, every semaphore with the places that take it,\n"
        "that let it go while it is held, that let it go while it is not, how improbable that is for a lock (z),\n"
        "and what follows: lock, or scheduling. Those that schedule make no lock order.\n",
    .options = semaphores_options,
    .run = semaphores_run,
};
