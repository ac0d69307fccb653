struct cursor {
    int place;
};
extern struct cursor *top;
int cursor_sum(struct cursor *cursor);
void cursor_move(void);
