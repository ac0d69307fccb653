// the beginning ---------------------------------------------------------------------------

static const char *plan_word(const char *name) { // what is behind it on its line; NULL: nothing
    size_t length = strlen(name);
    for (const char *line = plan.text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (!strncmp(line, name, length) && line[length] == ' ')
            return line + length + 1;
    return NULL;
}
static uint64_t plan_number(const char *name) {
    const char *at = plan_word(name);
    uint64_t value = 0;
    return at && number_at(&at, 10, &value) ? value : 0;
}
static void plan_path(const char *name, char *out) {
    const char *at = plan_word(name);
    size_t length = at ? strcspn(at, "\n") : 0;
    length = length < PATH_MAX ? length : PATH_MAX - 1;
    memcpy(out, at ? at : "", length);
    out[length] = 0;
}

static void plan_targets(void) {
    for (const char *line = plan.text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        uint64_t finding, side, role, stall;
        const char *at = line + 2;
        if (line[0] != 't' || line[1] != ' ' || !number_at(&at, 10, &finding) || !number_at(&at, 10, &side) ||
            !number_at(&at, 10, &role) || !number_at(&at, 10, &stall) || plan.target_count == TARGETS_MOST ||
            finding >= TARGETS_MOST)
            continue;
        plan.locks |= role == LOCKS;
        plan.gaps |= role == GAPS;
        plan.targets[plan.target_count++] =
            (Target){.finding = (int)finding, .side = (int)side, .role = (int)role, .stall = (long)stall};
    }
}

static int plan_read(void) {
    const char *path = getenv("RACERX_CONFIRM");
    int file = path && *path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    size_t size = 0;
    if (file < 0)
        return 0;
    for (ssize_t got;
         size < sizeof plan.text - 1 && (got = read(file, plan.text + size, sizeof plan.text - 1 - size)) > 0;)
        size += (size_t)got;
    close(file);
    char hits[PATH_MAX];
    plan_path("hits", hits);
    plan_path("directory", plan.directory);
    plan.seed = plan_number("seed");
    plan.modes = (int)plan_number("modes");
    plan.stall = (long)plan_number("stall");
    plan.budget = (long)plan_number("budget");
    plan.noise = (long)plan_number("noise");
    plan.spurious = (int)plan_number("spurious");
    plan.trace = (long)plan_number("trace");
    plan_targets();
    if (plan.trace)
        return 1;
    file = open(hits, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return 0;
    plan.hits = mmap(NULL, sizeof(Hits) * TARGETS_MOST, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return plan.hits != MAP_FAILED;
}

static void crashed(int number, siginfo_t *info, void *context) {
    Record record = {.size = 0};
    Thread *thread = current();
    Word stack[FRAMES] = {0};
    int depth = 1;
    (void)info;
#if defined __x86_64__
    const mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    stack[0] = (Word)machine->gregs[REG_RIP] + 1;
    Word *frame = (Word *)machine->gregs[REG_RBP];
    if (thread && (Word)frame >= thread->low && (Word)(frame + 2) <= thread->high)
        depth += stack_of(thread, (Caller){frame[1], frame}, stack + 1);
#else
    (void)context;
#endif
    if (depth > FRAMES)
        depth = FRAMES;
    put_count(&record, "crash ", (uint64_t)number);
    put_text(&record, "\n");
    if (thread) {
        put_thread(&record, thread, "waits", -1);
        put_text(&record, " 0 -\n");
        put_stack(&record, stack, depth);
        put_held(&record, thread->held, thread->held_count);
    }
    put_text(&record, "end\n");
    record_write(&record);
    signal(number, SIG_DFL);
    raise(number);
}

static void forked(void) {
    Thread *thread = self;
    for (int i = 0; i < WATCHES_MOST; i++)
        watches[i].state = UNUSED;
    for (int i = 0; i < THREADS_MOST; i++)
        if (&threads[i] != thread)
            threads[i].live = 0;
    graph_lock = watch_count = blocked = stalled = 0;
    live = thread ? 1 : 0;
    modules_read();
    if (thread && thread->trace) { // its parent goes on with the file
        trace_close(thread);
        trace_open(thread);
    }
}

__attribute__((constructor)) static void begin(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    if (plan.active || !plan_read())
        return;
    pthread_key_create(&at_end, thread_end);
    pthread_atfork(NULL, NULL, forked);
    modules_read();
    begun = now();
    plan.active = 1;
    current();
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        REAL(sigaction)(signals[i], &action, NULL);
    if (plan.locks) {
        pthread_t watcher;
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        if (!REAL(pthread_create)(&watcher, NULL, watch_for_standstill, NULL))
            pthread_detach(watcher);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
}
