#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *split(void *line)
{
    char *word;
    int n = 0;
    for (word = strtok(line, " "); word; word = strtok(NULL, " ")) // RACE!
        n++;
    printf("%d words\n", n);
    return NULL;
}

int main(void)
{
    char one[] = "to be or not to be", two[] = "that is the question";
    pthread_t a, b;
    pthread_create(&a, NULL, split, one);
    pthread_create(&b, NULL, split, two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
