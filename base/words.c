// words.c: guesses at what a misspelt word meant.
#include "base/base.h"

enum { WORD_MOST = 40 }; // longer words are not guessed at

// Edits (insert, delete, change, swap two neighbours) that make one word of the other.
static u32 edit_distance(const char *a, const char *b) {
    u32 rows[3][WORD_MOST + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > WORD_MOST || m > WORD_MOST)
        return UINT32_MAX;
    for (u32 j = 0; j <= m; j++)
        rows[0][j] = j;
    for (u32 i = 1; i <= n; i++) {
        u32 *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (u32 j = 1; j <= m; j++) {
            u32 best = above[j - 1] + (a[i - 1] != b[j - 1]);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && higher[j - 2] + 1 < best)
                best = higher[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

const char *nearest_word(const char *word, const char *const *candidates) {
    const char *nearest = NULL;
    size_t length = strlen(word);
    u32 least = length < 3 ? 2 : length < 6 ? 3 : 4; // must be under this
    for (; *candidates; candidates++) {
        u32 distance = edit_distance(word, *candidates);
        bool begins = length >= 2 && !strncmp(word, *candidates, length);
        if (begins)
            distance = 1;
        if (distance < least) {
            least = distance;
            nearest = *candidates;
        }
    }
    return nearest;
}
