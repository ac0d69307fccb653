void spin(void) { for (;;) ; }
void spin2(void) { while (1) { } }
void ring(void) { a: goto b; b: goto a; }
void wait(int *p) { while (*p) ; }
void nothing(void) { }
void none(int x) { if (x) ; else ; }
