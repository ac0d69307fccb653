// fit.c: measures the settings of rank/default.lua from labelled findings. bench/fit/README.md says what is fitted and
// why. In: bench/fit/*.jsonl. Out: a table of weights with their spread, a table of predicted and observed shares, the
// settings.
//
//   fit [--check] [--out DIR] DEFAULT.lua PRIORS VECTORS.jsonl…
//
// Slopes: logistic regression of labelled bugs against random findings of the same tree and kind, jointly over trees,
// with an intercept for each tree and kind that is thrown away (planted and historic bugs are no random sample) and a
// ridge. Each is also fitted with one project left out: a slope whose sign depends on which is dropped. Intercepts of
// kinds: from judged findings alone, given the slopes, drawn towards their common one. Invariant: the same vectors give
// the same settings.
#include "base/base.h"

#include <math.h>

#define RIDGE 2.0 // pull of a standardised slope towards 0, as that many findings
#define STRATUM_RIDGE 0.01
#define BLUNT_MOST 25     // hundredths: how much less what speaks for a finding counts, the more there is of it
#define BLUNT_PRICE 0.5   // for 1 of it, in log-likelihood
#define SHARP 2.0         // points that count in full: blunt_from in rank/default.lua
#define MUCH 3.0          // points
#define RACE_MOST (-2.85) // a race that nothing speaks for is below the line
#define KIND_RIDGE 1.5    // pull of a kind's intercept towards that of all, likewise
#define DENSITY 1.0       // how much of the density of labelled bugs is believed
#define SELECTED 0.15     // judged ones were on first pages: of others with such a score, so much fewer are true
#define BASE_UNKNOWN 0.3  // where a kind starts of which nobody labelled any: set by hand
#define JUDGED_LEAST 20   // judged findings that tell where a kind starts
#define BASE_MOST 1.6     // no kind starts surer than five in six
#define ROUNDS 40         // of Newton's method
#define ROWS_LEAST 3.0    // fewer findings with it say nothing of a feature

typedef struct {
    u32 name;
    double value;
} Term;
typedef Array(Term) TermArray;

typedef struct {
    u32 stratum; // tree and kind
    u32 project; // left out together
    u32 kind;
    double label; // 0, 1; of judged ones in between, too
    double weight;
    bool judged;
    TermArray terms;
} Row;
typedef Array(Row) RowArray;

// How many findings of a kind a tree has, and how many labelled bugs they report.
typedef struct {
    u32 project, base; // the last is a place in base_names
    double findings, bugs;
} Count;

typedef struct {
    Intern texts;
    RowArray rows;
    U32Array names;      // of terms
    U32Array projects;   // of rows that are no judged ones
    double *priors;      // by text: what a weight is before anything is measured
    bool *fixed;         // by text: and stays
    Array(Count) counts; // of historic trees
} Data;

static const char *const base_names[] = {"race",         "deadlock",        "deadlock_wait", "double_lock",
                                         "irq_deadlock", "sleep_in_atomic", "lock_leak",     "unlock_unheld"};
#define WAITS 2 // of them: judged as deadlocks are, and as blunt
#define BASES (sizeof base_names / sizeof *base_names)

// Where the kinds begin, and how blunt what speaks for each is.
typedef struct {
    double intercepts[BASES], blunt[BASES];
} Kinds;

// reading ---------------------------------------------------------------------

static u32 intern_span(Data *self, const char *text, size_t length) {
    return intern_add(&self->texts, text, (u32)length);
}

static void add_once(U32Array *self, u32 id) {
    for (u32 i = 0; i < self->count; i++)
        if (self->items[i] == id)
            return;
    array_push(self, id);
}

// What stands after "key": in a line of gather.py, which writes no spaces and no escapes.
static const char *after_key(const char *line, const char *key) {
    char pattern[40];
    snprintf(pattern, sizeof pattern, "\"%s\":", key);
    const char *found = strstr(line, pattern);
    return found ? found + strlen(pattern) : NULL;
}

static u32 text_after(Data *self, const char *line, const char *key) {
    const char *at = after_key(line, key);
    if (!at || *at != '"')
        fatal("a line of the vectors has no %s: %.100s", key, line);
    return intern_span(self, at + 1, strcspn(at + 1, "\""));
}

static bool is_base(const Data *self, u32 name) { // a kind's own intercept
    for (u32 i = 0; i < BASES; i++)
        if (!strcmp(intern_text(&self->texts, name), base_names[i]))
            return true;
    return false;
}

static void read_terms(Data *self, const char *at, Row *row) {
    while (*at == '{' || *at == ',') {
        const char *name = at + 2, *end = strchr(name, '"');
        if (*name == '}' || at[1] != '"' || !end)
            break;
        char *after;
        Term term = {intern_span(self, name, (size_t)(end - name)), strtod(end + 2, &after)};
        if (is_base(self, term.name))
            row->kind = term.name;
        else {
            array_push(&row->terms, term);
            add_once(&self->names, term.name);
        }
        at = after;
    }
}

// Of a deadlock its cause is not told: counts are for both.
static void read_count(Data *self, const char *line) {
    char word[40];
    snprintf(word, sizeof word, "%s", intern_text(&self->texts, text_after(self, line, "kind")));
    for (char *at = word; *at; at++)
        *at = *at == '-' ? '_' : *at;
    for (u32 i = 0; i < BASES; i++)
        if (!strcmp(word, base_names[i]) || (!strcmp(word, "deadlock") && !strcmp(base_names[i], "deadlock_wait")))
            array_push(&self->counts,
                       ((Count){text_after(self, line, "project"), i, strtod(after_key(line, "count"), NULL),
                                strtod(after_key(line, "bugs"), NULL)}));
}

static void read_line(Data *self, const char *line) {
    if (after_key(line, "count")) {
        read_count(self, line);
        return;
    }
    Row row = {.weight = 1};
    char stratum[400];
    const char *label = after_key(line, "label"), *judged = after_key(line, "judged"),
               *terms = after_key(line, "terms");
    const char *weight = after_key(line, "weight");
    if (!terms || (!label && !judged))
        fatal("a line of the vectors has no label or no terms: %.100s", line);
    row.project = text_after(self, line, "project");
    row.judged = judged != NULL;
    row.label = strtod(judged ? judged : label, NULL);
    row.weight = weight ? strtod(weight, NULL) : 1;
    read_terms(self, terms, &row);
    if (!row.kind)
        return;
    snprintf(stratum, sizeof stratum, "%s %s %s", row.judged ? "judged" : "",
             intern_text(&self->texts, text_after(self, line, "tree")), intern_text(&self->texts, row.kind));
    row.stratum = intern_span(self, stratum, strlen(stratum));
    if (!row.judged)
        add_once(&self->projects, row.project);
    array_push(&self->rows, row);
}

static void read_file(Data *self, const char *path) {
    size_t size;
    char *text = file_read(path, &size);
    if (!text)
        fatal("cannot read %s", path);
    for (char *line = text, *end; *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        char last = *end;
        *end = 0;
        if (*line == '{')
            read_line(self, line);
        *end = last;
    }
    free(text);
}

// solving ---------------------------------------------------------------------

// Solves a x = b in place: a is symmetric and positive definite, n by n.
static void solve(double *a, double *b, u32 n) {
    for (u32 i = 0; i < n; i++) {
        for (u32 j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (u32 k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(sum > 1e-12 ? sum : 1e-12) : sum / a[j * n + j];
        }
    }
    for (u32 i = 0; i < n; i++) {
        for (u32 k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (u32 i = n; i--;) {
        for (u32 k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
}

static double share_of(double odds) { return 1 / (1 + exp(-odds)); }

typedef struct {
    Data *data;
    u32 *column;   // by text: of a name or a stratum, from 1; 0: none
    double *scale; // by column: what one standard deviation is
    double *ridge; // by column
    u32 columns;
    u32 without; // a project; 0: none
} Problem;

static bool takes_part(const Problem *self, const Row *row) {
    return row->project != self->without && !row->judged && self->column[row->stratum];
}

// Strata with bugs and with others, names with enough bugs.
static void choose_columns(Problem *self, const bool *dropped) {
    u32 count = self->data->texts.entries.count;
    double *bugs = must_zero(sizeof(double) * count), *others = must_zero(sizeof(double) * count);
    for (u32 i = 0; i < self->data->rows.count; i++) {
        const Row *row = &self->data->rows.items[i];
        if (row->project == self->without || row->judged) // these were chosen by the features
            continue;
        bugs[row->stratum] += row->weight * row->label;
        others[row->stratum] += row->weight * (1 - row->label);
        for (u32 k = 0; k < row->terms.count; k++)
            bugs[row->terms.items[k].name] += row->weight;
    }
    for (u32 i = 0; i < self->data->names.count; i++) {
        u32 name = self->data->names.items[i];
        if (!dropped[name] && bugs[name] >= ROWS_LEAST)
            self->column[name] = ++self->columns;
    }
    for (u32 i = 0; i < self->data->rows.count; i++) {
        u32 stratum = self->data->rows.items[i].stratum;
        if (bugs[stratum] > 0 && others[stratum] > 0 && !self->column[stratum])
            self->column[stratum] = ++self->columns;
    }
    free(bugs);
    free(others);
}

static void measure_scales(Problem *self) {
    double *sum = must_zero(sizeof(double) * (self->columns + 1)), rows = 0;
    for (u32 i = 0; i < self->data->rows.count; i++) {
        const Row *row = &self->data->rows.items[i];
        if (!takes_part(self, row))
            continue;
        rows++;
        for (u32 k = 0; k < row->terms.count; k++) {
            double value = row->terms.items[k].value;
            sum[self->column[row->terms.items[k].name]] += value * value;
        }
    }
    for (u32 i = 1; i <= self->columns; i++) {
        double scale = sqrt(sum[i] / (rows > 0 ? rows : 1));
        self->scale[i] = scale > 0.1 ? scale : sum[i] > 0 ? 0.1 : 1; // rare ones are not blown up
        self->ridge[i] = sum[i] > 0 ? RIDGE : STRATUM_RIDGE;
    }
    for (u32 i = 0; i < self->data->names.count; i++) // names are ridged also where no row of this fit has them
        if (self->column[self->data->names.items[i]])
            self->ridge[self->column[self->data->names.items[i]]] = RIDGE;
    free(sum);
}

// The columns of a row and their values; how many.
static u32 columns_of(const Problem *self, const Row *row, u32 *columns, double *values) {
    u32 count = 0;
    columns[count] = self->column[row->stratum] - 1;
    values[count++] = 1;
    for (u32 k = 0; k < row->terms.count; k++) {
        u32 column = self->column[row->terms.items[k].name];
        if (!column)
            continue;
        columns[count] = column - 1;
        values[count++] = row->terms.items[k].value / self->scale[column];
    }
    return count;
}

// What is known of a row before the fit: the weights its slopes start from.
static double prior_of(const Problem *self, const Row *row) {
    double odds = 0;
    for (u32 k = 0; k < row->terms.count; k++)
        odds += self->data->priors[row->terms.items[k].name] * row->terms.items[k].value;
    return odds;
}

static void add_row(const Problem *self, const Row *row, const double *solution, double *matrix, double *gradient) {
    u32 columns[128], n = self->columns;
    double values[128], odds = prior_of(self, row);
    u32 count = columns_of(self, row, columns, values);
    for (u32 i = 0; i < count; i++)
        odds += solution[columns[i]] * values[i];
    double share = share_of(odds), curve = row->weight * share * (1 - share);
    for (u32 i = 0; i < count; i++) {
        gradient[columns[i]] += row->weight * (row->label - share) * values[i];
        for (u32 k = 0; k < count; k++)
            matrix[columns[i] * n + columns[k]] += curve * values[i] * values[k];
    }
}

static void newton(const Problem *self, double *solution) {
    u32 n = self->columns;
    double *matrix = must_alloc(sizeof(double) * n * n), *gradient = must_alloc(sizeof(double) * n);
    for (u32 round = 0; round < ROUNDS; round++) {
        memset(matrix, 0, sizeof(double) * n * n);
        for (u32 i = 0; i < n; i++) {
            gradient[i] = -self->ridge[i + 1] * solution[i];
            matrix[i * n + i] = self->ridge[i + 1] + 1e-9;
        }
        for (u32 i = 0; i < self->data->rows.count; i++)
            if (takes_part(self, &self->data->rows.items[i]))
                add_row(self, &self->data->rows.items[i], solution, matrix, gradient);
        solve(matrix, gradient, n);
        double most = 0;
        for (u32 i = 0; i < n; i++)
            most = fabs(gradient[i]) > most ? fabs(gradient[i]) : most;
        for (u32 i = 0; i < n; i++)
            solution[i] += gradient[i] * (most > 2 ? 2 / most : 1);
        if (most < 1e-9)
            break;
    }
    free(matrix);
    free(gradient);
}

// By text; names without a slope have 0.
static double *fit_slopes(Data *data, u32 without, const bool *dropped) {
    u32 count = data->texts.entries.count;
    Problem self = {.data = data, .column = must_zero(sizeof(u32) * count), .without = without};
    double *slopes = must_zero(sizeof(double) * count);
    choose_columns(&self, dropped);
    self.scale = must_zero(sizeof(double) * (self.columns + 1));
    self.ridge = must_zero(sizeof(double) * (self.columns + 1));
    measure_scales(&self);
    double *solution = must_zero(sizeof(double) * (self.columns + 1));
    newton(&self, solution);
    for (u32 i = 0; i < data->names.count; i++) {
        u32 name = data->names.items[i], column = self.column[name];
        slopes[name] = data->priors[name] + (column ? solution[column - 1] / self.scale[column] : 0);
    }
    free(self.column);
    free(self.scale);
    free(self.ridge);
    free(solution);
    return slopes;
}

// intercepts ------------------------------------------------------------------

// What speaks for a finding, and what speaks against it.
static double slope_for(const Row *row, const double *slopes) {
    double score = 0;
    for (u32 i = 0; i < row->terms.count; i++)
        score += fmax(slopes[row->terms.items[i].name] * row->terms.items[i].value, 0);
    return score;
}

static double slope_score(const Row *row, const double *slopes) {
    double score = 0;
    for (u32 i = 0; i < row->terms.count; i++)
        score += slopes[row->terms.items[i].name] * row->terms.items[i].value;
    return score;
}

// What speaks for a finding says the same thing more than once: beyond SHARP, the more there is of it, the less it
// adds.
static double blunted(double sum, double blunt) {
    return sum <= SHARP ? sum : SHARP + (sum - SHARP) / (1 + blunt * (sum - SHARP));
}

static double blunt_score(const Row *row, const double *slopes, double blunt) {
    double sum = slope_for(row, slopes);
    return slope_score(row, slopes) - sum + blunted(sum, blunt);
}

// The intercept of one kind, given the slopes; drawn towards `mean` by `ridge`.
static double fit_intercept(const Data *data, u32 kind, u32 without, const double *slopes, double blunt, double mean,
                            double ridge) {
    double intercept = mean;
    for (u32 round = 0; round < ROUNDS; round++) {
        double gradient = -ridge * (intercept - mean), curve = ridge + 1e-9;
        for (u32 i = 0; i < data->rows.count; i++) {
            const Row *row = &data->rows.items[i];
            if (!row->judged || row->kind != kind || row->project == without)
                continue;
            double share = share_of(intercept + blunt_score(row, slopes, blunt));
            gradient += row->label - share;
            curve += share * (1 - share);
        }
        double step = gradient / curve;
        intercept += step > 2 ? 2 : step < -2 ? -2 : step;
    }
    return intercept;
}

// Of findings that much speaks for: what is blunt is seen there, and where a kind begins is not.
static double likelihood(const Data *data, u32 kind, u32 without, const double *slopes, double blunt, double base) {
    double sum = 0;
    for (u32 i = 0; i < data->rows.count; i++) {
        const Row *row = &data->rows.items[i];
        if (!row->judged || row->kind != kind || row->project == without || slope_for(row, slopes) < MUCH)
            continue;
        double share = share_of(base + blunt_score(row, slopes, blunt));
        share = fmin(fmax(share, 1e-6), 1 - 1e-6);
        sum += row->label * log(share) + (1 - row->label) * log(1 - share);
    }
    return sum;
}

// Both together, by what readers saw of the kind; returns the intercept.
static double fit_kind(const Data *data, u32 base, u32 kind, u32 without, const double *slopes, double mean,
                       double *blunt) {
    double best = -1e300, found = mean;
    *blunt = 0;
    for (u32 step = 0; step <= BLUNT_MOST; step++) {
        double trial = step / 100.0, intercept = fit_intercept(data, kind, without, slopes, trial, mean, KIND_RIDGE);
        intercept = base == 0 && intercept > RACE_MOST + SELECTED ? RACE_MOST + SELECTED : intercept;
        double value = likelihood(data, kind, without, slopes, trial, intercept) - BLUNT_PRICE * trial -
                       KIND_RIDGE / 2 * (intercept - mean) * (intercept - mean);
        if (value > best + 1e-9)
            best = value, found = intercept, *blunt = trial;
    }
    return found;
}

// The centre of a kind's slope scores over random findings: intercepts of kinds that nobody judged are told from it.
static double centre_of(const Data *data, u32 kind, const double *slopes) {
    double sum = 0, count = 0;
    for (u32 i = 0; i < data->rows.count; i++) {
        const Row *row = &data->rows.items[i];
        if (row->kind == kind && !row->judged && row->label == 0) {
            sum += slope_score(row, slopes);
            count++;
        }
    }
    return count > 0 ? sum / count : 0;
}

// How much denser labelled bugs are among findings of a kind than among all: a logarithm. Which kinds were labelled was
// somebody's choice, so only a part of it counts.
static double density_of(const Data *data, u32 base, u32 without) {
    double findings = 0, bugs = 0, all_findings = 0, all_bugs = 0;
    for (u32 i = 0; i < data->counts.count; i++) {
        const Count *count = &data->counts.items[i];
        if (count->project == without)
            continue;
        all_findings += count->findings;
        all_bugs += count->bugs;
        findings += count->base == base ? count->findings : 0;
        bugs += count->base == base ? count->bugs : 0;
    }
    double common = (all_bugs + 1) / (all_findings + 1000);
    return DENSITY * log((bugs + 1) / (findings + 1 / common) / common);
}

static bool is_judged(const Data *data, u32 kind) {
    u32 count = 0;
    for (u32 i = 0; i < data->rows.count; i++)
        count += data->rows.items[i].judged && data->rows.items[i].kind == kind;
    return count >= JUDGED_LEAST;
}

static bool is_labelled(const Data *data, u32 base) {
    for (u32 i = 0; i < data->counts.count; i++)
        if (data->counts.items[i].base == base && data->counts.items[i].bugs > 0)
            return true;
    return false;
}

// Kinds start, in their middle, at the density of labelled bugs, and are moved from there by what readers said of them.
static void fit_kinds(Data *data, u32 without, const double *slopes, Kinds *out) {
    double centre[BASES], mean = 0;
    u32 kinds[BASES];
    for (u32 i = 0; i < BASES; i++) {
        kinds[i] = intern_span(data, base_names[i], strlen(base_names[i]));
        centre[i] = centre_of(data, kinds[i], slopes) - (is_labelled(data, i) ? density_of(data, i, without) : 0);
    }
    double step = 1;
    for (u32 round = 0; round < 200 && fabs(step) > 1e-10; round++) { // the common share, kinds at their centres
        double gradient = 0, curve = 1e-9;
        for (u32 k = 0; k < data->rows.count; k++) {
            const Row *row = &data->rows.items[k];
            if (!row->judged || row->project == without)
                continue;
            u32 i = 0;
            while (i < BASES - 1 && kinds[i] != row->kind)
                i++;
            double share = share_of(mean - centre[i] + slope_score(row, slopes));
            gradient += row->label - share;
            curve += share * (1 - share);
        }
        step = gradient / curve;
        step = step > 1 ? 1 : step < -1 ? -1 : step;
        mean += step;
    }
    for (u32 i = 0; i < BASES; i++) {
        double base = fit_kind(data, i, kinds[i], without, slopes, mean - centre[i], &out->blunt[i]);
        base = is_labelled(data, i) || is_judged(data, kinds[i]) ? base - SELECTED : BASE_UNKNOWN;
        out->intercepts[i] = base > BASE_MOST ? BASE_MOST : base;
    }
}

// what is printed and written ---------------------------------------------------

static int compare_names(const void *left, const void *right, void *context) {
    const Data *data = context;
    return strcmp(intern_text(&data->texts, *(const u32 *)left), intern_text(&data->texts, *(const u32 *)right));
}

static void put_settings(Data *data, const double *slopes, const Kinds *kinds, Buffer *out) {
    u32 *sorted = must_alloc(sizeof(u32) * (data->names.count + 1));
    memcpy(sorted, data->names.items, sizeof(u32) * data->names.count);
    qsort_r(sorted, data->names.count, sizeof(u32), compare_names, data);
    for (u32 i = 0; i < BASES; i++)
        buffer_format(out, "    %s = %.2f,\n", base_names[i], kinds->intercepts[i]);
    for (u32 i = 0; i < BASES; i++)
        if (i != WAITS)
            buffer_format(out, "    blunt_%s = %.2f,\n", base_names[i], kinds->blunt[i]);
    for (u32 i = 0; i < data->names.count; i++)
        if (round(slopes[sorted[i]] * 100) != 0)
            buffer_format(out, "    %s = %.2f,\n", intern_text(&data->texts, sorted[i]), slopes[sorted[i]]);
    free(sorted);
}

static void write_script(const char *directory, const char *project, const Buffer *settings) {
    Buffer path = {0};
    buffer_format(&path, "%s/without-%s.lua", directory, project);
    buffer_byte(&path, 0);
    FILE *out = fopen((char *)path.bytes, "w");
    if (!out)
        fatal("cannot write %s", (char *)path.bytes);
    fprintf(out, "settings {\n%.*s}\n", (int)settings->size, settings->bytes);
    check(!fclose(out));
    buffer_free(&path);
}

// A slope is kept when all fits with a project left out agree on its sign, and with its meaning.
static void print_slopes(Data *data, const double *slopes, double **folds, const bool *dropped) {
    printf("%-28s %8s %8s %8s\n", "weight", "all", "least", "most");
    for (u32 i = 0; i < data->names.count; i++) {
        u32 name = data->names.items[i];
        double least = 1e9, most = -1e9;
        for (u32 p = 0; p < data->projects.count; p++) {
            least = folds[p][name] < least ? folds[p][name] : least;
            most = folds[p][name] > most ? folds[p][name] : most;
        }
        printf("%-28s %8.2f %8.2f %8.2f%s\n", intern_text(&data->texts, name), slopes[name], least, most,
               dropped[name] ? "  stays: trees disagree, or it speaks against its meaning" : "");
    }
}

// Whether there is one that was not dropped before.
static bool drop_unstable(const Data *data, double **folds, const double *slopes, bool *dropped) {
    bool more = false;
    for (u32 i = 0; i < data->names.count; i++) {
        u32 name = data->names.items[i];
        bool bad = false;
        for (u32 p = 0; p < data->projects.count; p++)
            bad |= folds[p][name] * slopes[name] < 0 || folds[p][name] * data->priors[name] < 0;
        more |= bad && !dropped[name];
        dropped[name] |= bad;
    }
    return more;
}

// Judged findings of a project are predicted by weights fitted without it.
static void print_reliability(Data *data, double **folds, const Kinds *kinds) {
    double said[6] = {0}, seen[6] = {0}, count[6] = {0};
    static const double bounds[6] = {0.1, 0.25, 0.4, 0.55, 0.7, 1.01};
    for (u32 i = 0; i < data->rows.count; i++) {
        const Row *row = &data->rows.items[i];
        u32 p = 0, k = 0, bin = 0;
        if (!row->judged)
            continue;
        while (p < data->projects.count && data->projects.items[p] != row->project)
            p++;
        while (k < BASES - 1 && strcmp(base_names[k], intern_text(&data->texts, row->kind)))
            k++;
        double share = share_of(kinds[p].intercepts[k] + blunt_score(row, folds[p], kinds[p].blunt[k]));
        while (share >= bounds[bin])
            bin++;
        said[bin] += share;
        seen[bin] += row->label;
        count[bin]++;
    }
    printf("\njudged findings, predicted by weights fitted without their project\n%10s %8s %10s %10s\n", "below",
           "judged", "predicted", "observed");
    for (u32 b = 0; b < 6; b++)
        if (count[b] > 0)
            printf("%10.2f %8.0f %10.2f %10.2f\n", b == 5 ? 1 : bounds[b], count[b], said[b] / count[b],
                   seen[b] / count[b]);
}

// The text between the two markers, replaced by these settings; malloc'd.
static char *with_settings(const char *text, const Buffer *settings, const char **from, const char **to) {
    static const char begin[] = "-- fitted: written by `make fit`\nsettings {\n", end[] = "}\n-- end of what is fitted";
    *from = strstr(text, begin);
    *to = *from ? strstr(*from, end) : NULL;
    if (!*to)
        fatal("rank/default.lua has no table of fitted settings");
    *from += strlen(begin);
    Buffer out = {0};
    buffer_put(&out, text, (size_t)(*from - text));
    buffer_put(&out, settings->bytes, settings->size);
    buffer_text(&out, *to);
    buffer_byte(&out, 0);
    return (char *)out.bytes;
}

// Settings that nobody measured stay, with 0.
static void put_zeros(Data *data, const char *text, const double *slopes, Buffer *out) {
    for (const char *line = text; *line && *line != '}'; line = strchr(line, '\n') + 1) {
        const char *name = line + strspn(line, " ");
        size_t length = strcspn(name, " =\n");
        u32 id = intern_find(&data->texts, name, (u32)length);
        bool base = false;
        for (u32 i = 0; i < BASES; i++)
            base |= strlen(base_names[i]) == length && !strncmp(base_names[i], name, length);
        base |= !strncmp(name, "blunt_", 6);
        if (!base && (id == UINT32_MAX || round(slopes[id] * 100) == 0))
            buffer_format(out, "    %.*s = 0,\n", (int)length, name);
    }
}

static int store_settings(Data *data, const char *path, const double *slopes, const Kinds *kinds, bool only_check) {
    size_t size;
    char *text = file_read(path, &size);
    const char *from, *to;
    Buffer settings = {0};
    if (!text)
        fatal("cannot read %s", path);
    free(with_settings(text, &settings, &from, &to));
    put_settings(data, slopes, kinds, &settings);
    put_zeros(data, from, slopes, &settings);
    char *wanted = with_settings(text, &settings, &from, &to);
    bool same = !strcmp(text, wanted);
    if (only_check && !same)
        printf("not ok: %s has other settings than the fit; `make fit` writes them\n", path);
    FILE *out = only_check || same ? NULL : fopen(path, "w");
    if (out) {
        fputs(wanted, out);
        check(!fclose(out));
    }
    free(text);
    free(wanted);
    buffer_free(&settings);
    return only_check && !same;
}

// Weights without each project: for measuring on it, and for the spread; the last ones are of all.
static double **fit_folds(Data *data, const bool *dropped) {
    double **folds = must_alloc(sizeof(double *) * (data->projects.count + 1));
    for (u32 p = 0; p < data->projects.count; p++)
        folds[p] = fit_slopes(data, data->projects.items[p], dropped);
    folds[data->projects.count] = fit_slopes(data, 0, dropped);
    return folds;
}

static void free_folds(Data *data, double **folds) {
    for (u32 p = 0; p <= data->projects.count; p++)
        free(folds[p]);
    free(folds);
}

// Lines of a name and a number; # begins a remark.
static void read_priors(Data *self, const char *path) {
    size_t size;
    char *text = file_read(path, &size);
    if (!text)
        fatal("cannot read %s", path);
    Array(Term) known = {0};
    U32Array fixed = {0};
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (*line != '#') {
            u32 name = intern_span(self, line, strcspn(line, " "));
            array_push(&known, ((Term){name, strtod(line + strcspn(line, " "), NULL)}));
            if (strstr(line, " fixed"))
                array_push(&fixed, name);
            add_once(&self->names, name);
        }
    self->priors = must_zero(sizeof(double) * (self->texts.entries.count + BASES + 1));
    self->fixed = must_zero(self->texts.entries.count + BASES + 1);
    for (u32 i = 0; i < known.count; i++)
        self->priors[known.items[i].name] = known.items[i].value;
    for (u32 i = 0; i < fixed.count; i++)
        self->fixed[fixed.items[i]] = true;
    array_free(&known);
    array_free(&fixed);
    free(text);
}

static int fit(Data *data, const char *path, const char *directory, bool only_check) {
    bool *dropped = must_zero(data->texts.entries.count), *none = must_zero(data->texts.entries.count);
    memcpy(dropped, data->fixed, data->texts.entries.count);
    memcpy(none, data->fixed, data->texts.entries.count);
    double **folds = fit_folds(data, none);
    u32 all = data->projects.count;
    bool again = drop_unstable(data, folds, folds[all], dropped);
    if (!only_check)
        print_slopes(data, folds[all], folds, dropped);
    while (again) { // what stays moves the others
        free_folds(data, folds);
        folds = fit_folds(data, dropped);
        again = drop_unstable(data, folds, folds[all], dropped);
    }
    Kinds *kinds = must_zero(sizeof *kinds * (all + 1));
    for (u32 p = 0; p <= all; p++) {
        u32 project = p < all ? data->projects.items[p] : 0;
        fit_kinds(data, project, folds[p], &kinds[p]);
        Buffer settings = {0};
        put_settings(data, folds[p], &kinds[p], &settings);
        if (directory && project)
            write_script(directory, intern_text(&data->texts, project), &settings);
        buffer_free(&settings);
    }
    if (!only_check)
        print_reliability(data, folds, kinds);
    int status = store_settings(data, path, folds[all], &kinds[all], only_check);
    free_folds(data, folds);
    free(kinds);
    free(dropped);
    free(none);
    return status;
}

int main(int count, char **words) {
    static Data data; // for as long as the program runs
    bool only_check = false;
    const char *path = NULL, *directory = NULL, *priors = NULL;
    for (u32 i = 0; i < BASES; i++)
        intern_span(&data, base_names[i], strlen(base_names[i]));
    intern_span(&data, "", 0); // 0: nothing
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "--check"))
            only_check = true;
        else if (!strcmp(words[i], "--out") && i + 1 < count)
            directory = words[++i];
        else if (!path)
            path = words[i];
        else if (!priors)
            priors = words[i];
        else
            read_file(&data, words[i]);
    }
    if (!path || !data.rows.count)
        fatal("fit [--check] [--out DIR] rank/default.lua PRIORS VECTORS.jsonl…");
    read_priors(&data, priors);
    return fit(&data, path, directory, only_check);
}
