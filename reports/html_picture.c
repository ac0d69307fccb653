// html_picture.c: drawings, as SVG inside the page: the share of a belief, the cycle of a deadlock, the scores.
// Colours come from the page's style by class, so that they follow light and dark; text is text and can be searched.
#include "reports/html.h"

#include <math.h>

// a share -----------------------------------------------------------------------

void html_share(Buffer *out, u32 with, u32 without) {
    double all = (double)with + without, part = all ? 100 * with / all : 0;
    buffer_format(
        out,
        "<svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%u of "
        "%.0f\">"
        "<rect class=\"without\" width=\"100\" height=\"8\"/><rect class=\"with\" width=\"%.2f\" height=\"8\"/></svg>",
        with, all, part);
}

// a cycle -------------------------------------------------------------------------

#define NODES_MOST 12
#define WIDTH 470 // of the drawing
#define NODE_HEIGHT 30
#define STEP 84      // from one node of a ladder to the next
#define NAME_MOST 26 // characters of a lock on its node
#define TEXT_MOST 48 // of a label

typedef struct {
    const char *from, *to; // locks
    const Site *site;      // where the second is taken, or waited for
} Edge;
typedef struct {
    const char *nodes[NODES_MOST];
    Edge edges[NODES_MOST];
    u32 node_count, edge_count;
} PictureCycle;

static u32 node_of(PictureCycle *self, const char *name) {
    for (u32 i = 0; i < self->node_count; i++)
        if (!strcmp(self->nodes[i], name))
            return i;
    if (self->node_count < NODES_MOST)
        self->nodes[self->node_count++] = name;
    return self->node_count - 1;
}

// A party holds what its first operation took, or else what the lockset says, and goes on to its last operation's.
static bool gather_edges(const Finding *finding, PictureCycle *self) {
    for (u32 i = 0, next; i < finding->sites.count; i = next) {
        const Site *first = &finding->sites.items[i], *last = first;
        for (next = i + 1; next < finding->sites.count && finding->sites.items[next].side == first->side; next++)
            last = &finding->sites.items[next];
        const char *from = first != last ? first->object : last->lockset.count ? last->lockset.items[0].name : "";
        if (!*from || !*last->object || self->edge_count == NODES_MOST)
            return false;
        self->edges[self->edge_count++] = (Edge){from, last->object, last};
    }
    return self->edge_count > 1;
}

static bool gather_cycle(const Finding *finding, PictureCycle *self) {
    if (!gather_edges(finding, self))
        return false;
    const char *at = self->edges[0].from;
    for (u32 i = 0; i < self->edge_count; i++) { // in the order of the way round
        for (u32 k = i; k < self->edge_count; k++)
            if (!strcmp(self->edges[k].from, at)) {
                Edge swap = self->edges[i];
                self->edges[i] = self->edges[k];
                self->edges[k] = swap;
                break;
            }
        at = self->edges[i].to;
        node_of(self, self->edges[i].from);
    }
    for (u32 i = 0; i < self->edge_count; i++)
        node_of(self, self->edges[i].to);
    return true;
}

static void put_node(Buffer *out, const char *name, double x, double y, double width) {
    buffer_format(out, "<g class=\"node\"><title>");
    html_text(out, name);
    buffer_format(out,
                  "</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"6\"/><text x=\"%.1f\" "
                  "y=\"%.1f\" text-anchor=\"middle\">",
                  x, y, width, NODE_HEIGHT, x + width / 2, y + NODE_HEIGHT / 2 + 4.5);
    html_short(out, name, NAME_MOST);
    buffer_text(out, "</text></g>");
}

static char letter(const Site *site) { return site->side < 26 ? (char)('A' + site->side) : '+'; }

// Two lines: who does it, and where.
static void put_label(Buffer *out, const Edge *edge, double x, double y, const char *anchor) {
    const Site *site = edge->site;
    char line[16];
    snprintf(line, sizeof line, ":%u", site->line);
    buffer_format(out,
                  "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"><tspan class=\"letter\">%c</tspan> ",
                  x, y, anchor, letter(site));
    html_short(out, site->function, TEXT_MOST - 4);
    buffer_format(out, "</text><text class=\"label faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y + 15,
                  anchor);
    html_short(out, site->file, TEXT_MOST - 12);
    buffer_format(out, "%s</text>", line);
}

static void put_arrow(Buffer *out, double x, double y, double angle) {
    buffer_format(
        out, "<path class=\"arrow\" d=\"M0 0 L-9 -4.5 L-9 4.5 Z\" transform=\"translate(%.1f %.1f) rotate(%.1f)\"/>", x,
        y, angle);
}

// Two locks side by side, one party above and one below.
static void put_pair(Buffer *out, const PictureCycle *self) {
    const double node = 200, left = 4, right = WIDTH - 4 - node, top = 66, bottom = top + NODE_HEIGHT;
    const double a = left + node / 2, b = right + node / 2;
    put_node(out, self->nodes[0], left, top, node);
    put_node(out, self->nodes[1], right, top, node);
    buffer_format(out, "<path class=\"edge\" d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\"/>", a, top, a + 24,
                  top - 30, b - 24, top - 30, b - 5, top - 5);
    put_arrow(out, b, top + 1, 52.8);
    buffer_format(out, "<path class=\"edge\" d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\"/>", b, bottom, b - 24,
                  bottom + 30, a + 24, bottom + 30, a + 5, bottom + 5);
    put_arrow(out, a, bottom - 1, 232.8);
    put_label(out, &self->edges[0], WIDTH / 2.0, 16, "middle");
    put_label(out, &self->edges[1], WIDTH / 2.0, bottom + 44, "middle");
}

// From under the last node down, round to the left, and up to the first.
static void put_return(Buffer *out, double middle, double bottom, double left) {
    const double top = 6 + NODE_HEIGHT / 2.0, low = bottom + 26;
    buffer_format(out, "<path class=\"edge\" d=\"M%.1f %.1f V%.1f Q%.1f %.1f %.1f %.1f", middle, bottom, low - 10,
                  middle, low, middle - 10, low);
    buffer_format(out, " H20 Q10 %.1f 10 %.1f V%.1f Q10 %.1f 20 %.1f H%.1f\"/>", low, low - 10, top + 10, top, top,
                  left - 6);
    put_arrow(out, left, top, 0);
}

// One under the other, and back to the top along the left side: as many as there are.
static void put_ladder(Buffer *out, const PictureCycle *self) {
    const double x = 40, node = 240, middle = x + 60;
    double bottom = 6 + (self->node_count - 1.0) * STEP + NODE_HEIGHT;
    for (u32 i = 0; i < self->node_count; i++) {
        double y = 6 + i * (double)STEP, below = y + NODE_HEIGHT;
        put_node(out, self->nodes[i], x, y, node);
        if (i < self->edge_count)
            put_label(out, &self->edges[i], middle + 14, below + 20, "start");
        if (i + 1 == self->node_count)
            break;
        buffer_format(out, "<path class=\"edge\" d=\"M%.1f %.1f V%.1f\"/>", middle, below, y + STEP - 6);
        put_arrow(out, middle, y + STEP, 90);
    }
    put_return(out, middle, bottom, x);
    for (u32 i = self->node_count; i < self->edge_count; i++)
        put_label(out, &self->edges[i], middle + 14, bottom + 20 + 40.0 * (i - self->node_count + 1), "start");
}

void html_cycle(Buffer *out, const Finding *finding) {
    PictureCycle cycle = {0};
    if (!kind_has(finding->kind, SHAPE_PICTURE))
        return;
    if (!gather_cycle(finding, &cycle))
        return;
    bool pair = cycle.node_count == 2 && cycle.edge_count == 2;
    u32 height = pair ? 162
                      : cycle.node_count * STEP +
                            40 * (cycle.edge_count > cycle.node_count ? cycle.edge_count - cycle.node_count : 0);
    buffer_format(out, "<figure class=\"cycle\"><svg viewBox=\"0 0 %d %u\" role=\"img\" aria-label=\"Order of locks: ",
                  WIDTH, height);
    for (u32 i = 0; i < cycle.edge_count; i++) {
        html_text(out, cycle.edges[i].from);
        buffer_text(out, " then ");
        html_text(out, cycle.edges[i].to);
        buffer_format(out, " in %c%s", letter(cycle.edges[i].site), i + 1 < cycle.edge_count ? ", " : "");
    }
    buffer_text(out, "\">");
    (pair ? put_pair : put_ladder)(out, &cycle);
    buffer_text(out,
                "</svg><figcaption>An arrow: who holds the one and goes on to take the other.</figcaption></figure>");
}

// the scores ------------------------------------------------------------------------

#define BINS 30
#define PLOT_WIDTH 480
#define PLOT_HEIGHT 130
#define BASELINE 108

typedef struct {
    double low, step;
    u32 above[BINS], below[BINS], most;
} Histogram;

static bool fill_histogram(const FindingList *findings, Histogram *self) {
    double low = INFINITY, high = -INFINITY;
    for (u32 i = 0; i < findings->items.count; i++) {
        low = fmin(low, findings->items.items[i]->score);
        high = fmax(high, findings->items.items[i]->score);
    }
    if (!isfinite(low) || !isfinite(high) || high - low > 1e6)
        return false;
    double rough = fmax(high - low, 5) / (BINS - 2);
    self->step = rough > 20     ? ceil(rough / 10) * 10
                 : rough > 5    ? 10
                 : rough > 2    ? 5
                 : rough > 1    ? 2
                 : rough > 0.5  ? 1
                 : rough > 0.25 ? 0.5
                                : 0.25;
    self->low = floor(low / self->step) * self->step;
    for (u32 i = 0; i < findings->items.count; i++) {
        const Finding *finding = findings->items.items[i];
        u32 bin = (u32)fmin(floor((finding->score - self->low) / self->step), BINS - 1);
        u32 *count = finding->below_line ? &self->below[bin] : &self->above[bin];
        ++*count;
        self->most =
            self->above[bin] + self->below[bin] > self->most ? self->above[bin] + self->below[bin] : self->most;
    }
    return true;
}

static void put_bar(Buffer *out, const Histogram *self, u32 bin, u32 used) {
    double width = (double)PLOT_WIDTH / used, x = bin * width, scale = 84.0 / self->most,
           from = self->low + bin * self->step;
    double below = self->below[bin] * scale, above = self->above[bin] * scale;
    if (!self->above[bin] && !self->below[bin])
        return;
    buffer_format(out, "<g><title>score %g to %g: %u", from, from + self->step, self->above[bin]);
    if (self->below[bin])
        buffer_format(out, ", and %u under the line", self->below[bin]);
    buffer_text(out, "</title>");
    buffer_format(out, "<rect class=\"bar under\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x + 1,
                  BASELINE - below, width - 2, below);
    buffer_format(out, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x + 1,
                  BASELINE - below - above, width - 2, above);
    if (width > 26 || self->above[bin] + self->below[bin] == self->most)
        buffer_format(out, "<text class=\"count\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%u</text>", x + width / 2,
                      BASELINE - below - above - 5, "middle", self->above[bin] + self->below[bin]);
    buffer_text(out, "</g>");
}

void html_scores(Page *self) {
    Histogram histogram = {0};
    if (!fill_histogram(self->findings, &histogram))
        return;
    u32 used = BINS;
    while (used > 1 && !histogram.above[used - 1] && !histogram.below[used - 1])
        used--;
    used = used < 6 ? 6 : used;
    buffer_format(
        self->out,
        "<svg class=\"scores\" viewBox=\"-12 0 %d %d\" role=\"img\" aria-label=\"How many findings have which score\">",
        PLOT_WIDTH + 24, PLOT_HEIGHT);
    for (u32 bin = 0; bin < used; bin++)
        put_bar(self->out, &histogram, bin, used);
    buffer_format(self->out, "<path class=\"axis\" d=\"M0 %d H%d\"/>", BASELINE, PLOT_WIDTH);
    u32 every = (used + 7) / 8;
    for (u32 bin = 0; bin <= used; bin += every) {
        buffer_format(self->out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                      (double)PLOT_WIDTH / used * bin, BASELINE + 17);
        html_number(self->out, histogram.low + bin * histogram.step, false);
        buffer_text(self->out, "</text>");
    }
    buffer_text(self->out, "</svg>");
}
