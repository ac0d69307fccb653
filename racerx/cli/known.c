// known.c: `racerx facts`: what is known at each point of a function, and how much of it other threads leave true.
#include "racerx/cli/command_link.h"
#include "racerx/facts/analysis.h"

typedef struct {
    LinkArguments link;
    bool surviving;
} KnownArguments;

static void put_share(Buffer *out, const char *what, u64 count, const Survival *all) {
    buffer_format(out, "%-44s %10llu %6.1f %%\n", what, (unsigned long long)count,
                  all->dereferences ? 100.0 * (double)count / (double)all->dereferences : 0);
}

static void surviving_text(const Survival *found, Buffer *out) {
    put_share(out, "dereferences", found->dereferences, found);
    put_share(out, "of a pointer that no global leads to", found->reached, found);
    put_share(out, "that nobody else writes, locks left out", found->unlocked, found);
    put_share(out, "that nobody else writes", found->locked, found);
    put_share(out, "proven, if there were no other threads", found->alone, found);
}

static void surviving_json(const Survival *found, Buffer *out) {
    buffer_format(out, "{\"dereferences\":%llu,\"reached\":%llu,\"unlocked\":%llu,\"locked\":%llu,\"alone\":%llu}\n",
                  (unsigned long long)found->dereferences, (unsigned long long)found->reached,
                  (unsigned long long)found->unlocked, (unsigned long long)found->locked,
                  (unsigned long long)found->alone);
}

static int known_run(const Command *self, int count, char **words) {
    KnownArguments arguments = {0};
    TextArray rest = {0};
    U32Array functions = {0};
    Buffer out = {0};
    arguments_read(self, count, words, &arguments, &rest);
    if (rest.count != !arguments.surviving)
        fatal("facts takes one FUNCTION or FILE:FUNCTION, or --surviving (see `racerx facts --help`)");
    if (!arguments.surviving && arguments.link.format == FORMAT_JSONL)
        fatal("facts of a function are printed as text only: --format jsonl goes with --surviving");
    Linked linked = link_database(&arguments.link);
    AnalysisOptions options = {
        .p0 = ANALYSIS_P0, .wide = ANALYSIS_WIDE, .jobs = arguments.link.jobs ? arguments.link.jobs : cpu_count()};
    if (arguments.surviving) {
        Survival found;
        measure_surviving(linked.program, &options, &found);
        (arguments.link.format == FORMAT_JSONL ? surviving_json : surviving_text)(&found, &out);
    } else
        wanted_functions(linked.program, rest.items[0], &functions);
    for (u32 i = 0; i < functions.count; i++)
        dump_products(linked.program, &options, functions.items[i], DUMP_FACTS, &out);
    write_output(&out);
    buffer_free(&out);
    array_free(&functions);
    array_free(&rest);
    linked_free(&linked);
    return 0;
}

static const Option known_options[] = {
    {OPTION_FLAG, 0, "surviving", NULL, offsetof(KnownArguments, surviving),
     "count instead how many dereferences of the whole program are proven safe, and stay so beside other threads"},
    {0},
};

const Command command_known = {
    .name = "facts",
    .arguments = "[FILE:]FUNCTION",
    .summary = "print what is known at each point of a function",
    .details =
        "Prints, for each block of a function, what is known where it begins: which places are not null, which were\n"
        "tested on the way, which locals are copies of what; each with where it was established, under which locks,\n"
        "and which of these were let go since. Behind that, each use of something that is known, and who may have\n"
        "written it meanwhile.\n"
        "\n"
        "  racerx facts drivers/char/rtc.c:rtc_read\n"
        "  racerx facts --surviving --format jsonl\n",
    .shared = link_options,
    .options = known_options,
    .run = known_run,
};
