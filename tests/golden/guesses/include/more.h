#define GET(a, b) get_two(a, b)
#define PAIR 1, 2
