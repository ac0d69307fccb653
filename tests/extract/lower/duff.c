void duff(char *to, char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}
void nested(int x, int y) {
    switch (x) {
    case 1:
        switch (y) { case 5: in5(); break; default: ind(); }
        break;
    case 2:
        if (y) { case 3: three(); } else { case 4: four(); }
    }
}
