/* `!x++` is `!(x++)`, and so are its sisters: postfix binds more strongly than prefix. */
struct gauge {
    int level, *at;
};
int once(struct gauge *gauge, int tries, int *p) {
    int sum = -tries-- + ~gauge->level++;
    if (!tries++)
        sum += !!gauge->at[2]--;
    if (!--gauge->level || -*p++ < 0)
        return sum;
    return ~sizeof *p + !(*p)++;
}
