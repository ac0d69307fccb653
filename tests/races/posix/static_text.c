// A text that is made in an array of the function's own, and given back, is everybody's.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
static const char *spell(int number) {
    static char text[32];
    snprintf(text, sizeof text, "%d", number); // RACE!
    return text;
}
static const char *doubled(const char *word) {
    char text[32];
    strcpy(text, word);
    strcat(text, word);
    return strdup(text);
}
static void *shout(void *unused) {
    for (int i = 0; i < 1000; i++)
        puts(doubled(spell(i)));
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, shout, 0);
    pthread_create(&b, 0, shout, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
