extern int progress;
void advance(void);
