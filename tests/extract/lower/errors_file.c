int good = 1;
int bad = 3 +;
struct with { int a; int b c d; int e; };
int after(void) { return good; }
