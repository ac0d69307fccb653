#define SECRET 5
#define OFF 1
