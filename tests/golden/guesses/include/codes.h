#define E_BAD 22
#define LEFT 77
#define GET(a) get_one(a)
