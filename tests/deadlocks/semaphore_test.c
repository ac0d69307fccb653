// semaphore_test.c: the statistics that tell a semaphore that locks from one that signals: the five of the slides, with
// the shares of a program that has spin locks and of one that has none.
#include "racerx/facts/analysis.h"

typedef struct {
    const char *name;
    u32 downs, paired, spurious;
    bool scheduling;
} Case;

static const Case cases[] = {
    {"PQFCH BA.complete", 5, 0, 5, true},
    {"event_exit", 2, 0, 9, true},
    {"thread_exit", 2, 0, 1, true},
    {"us_data.sem", 8, 28, 2, false},
    {"mm_struct.sem", 141, 208, 2, false},
    {"many wait for one", 10, 0, 1, true},
    {"signalled from outside", 0, 0, 4, true},
    {"a lock that is mostly understood", 10, 8, 2, false},
    {"a few pairs, many signals", 2, 2, 50, true},
};

static int fails;

static void classify(const SemaphoreBaseline *baseline, const char *what) {
    for (u32 i = 0; i < sizeof cases / sizeof *cases; i++) {
        double z = semaphore_z(cases[i].downs, cases[i].paired, cases[i].spurious, baseline);
        bool right = (z < SEMAPHORE_IMPROBABLE) == cases[i].scheduling;
        printf("%s %s, %s: z %.2f\n", right ? "ok" : "not ok", cases[i].name, what, z);
        fails += !right;
    }
}

static void expect(const char *what, double got, double wanted) {
    bool right = got > wanted - 1e-9 && got < wanted + 1e-9;
    printf("%s %s: %g\n", right ? "ok" : "not ok", what, got);
    fails += !right;
}

int main(void) {
    SemaphoreBaseline none = semaphore_baseline(19, 0, 19), perfect = semaphore_baseline(1000, 1000, 0);
    SemaphoreBaseline measured = semaphore_baseline(1000, 900, 80), broken = semaphore_baseline(100, 0, 500);
    classify(&none, "no spin locks");
    classify(&perfect, "perfect spin locks");
    classify(&measured, "measured spin locks");
    expect("pairs of too few spin locks", none.paired, 0.95);
    expect("spurious ups of too few spin locks", none.spurious, 0.05);
    expect("pairs as measured", measured.paired, 0.9);
    expect("spurious ups as measured", measured.spurious, 0.08);
    expect("pairs of a program not understood", broken.paired, 0.5);
    expect("spurious ups of a program not understood", broken.spurious, 0.3);
    expect("nothing is known of nothing", semaphore_z(0, 0, 0, &none), 0);
    return fails > 0;
}
