#include <codes.h>
enum direction { LEFT, RIGHT };
#define u99 unsigned long
typedef u99 wide;
#undef u99
