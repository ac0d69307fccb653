struct line {
    int (*ready)(void *data);
    void *data;
};
void spawn(void *(*loop)(void *));
void dispatch(const struct line *line);
void name_into(char *into, int length);
