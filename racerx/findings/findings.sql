-- findings.sql: what the checks found. Made anew by every check, in one transaction.
-- Text is bytes without NUL: names and paths of the analysed tree need not be UTF-8.
-- docs/findings/ says what the kinds mean. meta has the version of these tables under 'findings'.
-- store.c drops every table and view that is created here. Tables ending in _rows have a view to ask:
-- findings, sites, lock_order, verdicts (docs/sql.md).

CREATE TABLE finding_rows (
    rank INTEGER PRIMARY KEY,    -- place in the whole list, from 1: what the other tables mean by it
    id TEXT NOT NULL,            -- fingerprint: made of names, survives moved lines
    kind TEXT NOT NULL,          -- racerx/findings/kinds.def
    score REAL NOT NULL,
    below_line INTEGER NOT NULL, -- 1: shown only with --all
    message TEXT NOT NULL,       -- one sentence
    object TEXT NOT NULL,        -- what is raced on, or the lock taken second
    lock TEXT NOT NULL,          -- believed to protect, or held first; '': none
    file TEXT NOT NULL,          -- of the first site, as the next two
    line INTEGER NOT NULL,
    function TEXT NOT NULL,
    suppressed TEXT NOT NULL,    -- where and why it was silenced; '': it was not
    entry INTEGER NOT NULL,      -- the rank that reports show: siblings share one
    group_id TEXT NOT NULL,      -- of findings with one cause; '': it is alone
    share REAL                   -- of findings like it, as many are true, 0 to 1; NULL: the ranking does not say
);
CREATE INDEX finding_rows_id ON finding_rows (id);
CREATE INDEX finding_rows_group ON finding_rows (group_id);

-- All objects or locks of the finding.
CREATE TABLE finding_objects (
    rank INTEGER NOT NULL,     -- finding_rows.rank
    position INTEGER NOT NULL, -- from 0
    name TEXT NOT NULL,
    PRIMARY KEY (rank, position)
) WITHOUT ROWID;

CREATE INDEX finding_objects_name ON finding_objects (name);

-- What the ranking goes by.
CREATE TABLE features (
    rank INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    value NOT NULL,            -- REAL or TEXT
    PRIMARY KEY (rank, position)
) WITHOUT ROWID;

-- Why it has its score.
CREATE TABLE reasons (
    rank INTEGER NOT NULL,
    position INTEGER NOT NULL,
    points REAL NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (rank, position)
) WITHOUT ROWID;

-- The operations or accesses of a finding, and the examples that support it.
CREATE TABLE site_rows (
    id INTEGER PRIMARY KEY,        -- ascending by rank; first the finding's own, then the evidence
    rank INTEGER NOT NULL,
    evidence INTEGER NOT NULL,     -- 1: an example of what is usually done
    side INTEGER NOT NULL,         -- the party it belongs to, from 0
    role TEXT NOT NULL,            -- racerx/findings/roles.def
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,       -- 0: not known
    function TEXT NOT NULL,
    object TEXT NOT NULL,          -- what is taken, let go, waited for, called or accessed
    note TEXT NOT NULL,
    conditionals INTEGER NOT NULL  -- branches passed since the root
);

CREATE INDEX site_rows_rank ON site_rows (rank);

-- Locks held at a site, and where they were taken ('' and 0 when not known).
CREATE TABLE site_locks (
    site INTEGER NOT NULL,         -- site_rows.id
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (site, position)
) WITHOUT ROWID;

-- Every semaphore, and whether it locks or signals (racerx/check/semaphore.c).
CREATE TABLE semaphores (
    position INTEGER PRIMARY KEY,  -- from 1: the least lock-like first
    name TEXT NOT NULL,
    downs INTEGER NOT NULL,        -- places that take it
    paired INTEGER NOT NULL,       -- places that let it go held
    spurious INTEGER NOT NULL,     -- places that let it go not held
    z REAL NOT NULL,
    scheduling INTEGER NOT NULL    -- 1: it signals
);
CREATE TABLE semaphore_baseline (  -- one row: what spin locks do
    downs INTEGER NOT NULL,
    paired REAL NOT NULL,          -- to downs
    spurious REAL NOT NULL         -- to downs
);

-- Which lock guards what: every object that one place accesses under a lock, and another accesses at all (racerx/check/guards.c).
-- Counted are places of the text; z says how sure the belief is.
CREATE TABLE guards (
    position INTEGER PRIMARY KEY,  -- from 1: the highest z first
    object TEXT NOT NULL,
    lock TEXT NOT NULL,            -- the one that most places hold
    s INTEGER NOT NULL,            -- places that hold it
    f INTEGER NOT NULL,            -- places that do not
    z REAL NOT NULL,
    s_any INTEGER NOT NULL,        -- places that hold some lock
    f_any INTEGER NOT NULL,        -- places that hold none
    z_any REAL NOT NULL,
    same_object INTEGER NOT NULL,  -- of s: places that hold the lock of the very object they access
    only INTEGER NOT NULL,         -- critical sections it is the only object of
    first INTEGER NOT NULL,        -- the first
    last INTEGER NOT NULL,         -- the last
    lines INTEGER NOT NULL         -- lines that go without the lock
);
CREATE TABLE guard_exceptions (    -- the first of these lines
    guard INTEGER NOT NULL,        -- guards.position
    position INTEGER NOT NULL,     -- from 0, by file and line
    role TEXT NOT NULL,            -- racerx/findings/roles.def
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    function TEXT NOT NULL,
    PRIMARY KEY (guard, position)
) WITHOUT ROWID;

-- How control came to a site: the root first, the site's function last; each with the place of its call of the next.
CREATE TABLE site_calls (
    site INTEGER NOT NULL,
    position INTEGER NOT NULL,
    function TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (site, position)
) WITHOUT ROWID;

-- Which lock is taken while another is held. A kernel has hundreds of thousands: names are ids, the view lock_order has them
-- as text. Made by a check only; ranking again leaves them.
CREATE TABLE IF NOT EXISTS order_names (
    id INTEGER PRIMARY KEY,        -- 0: ''
    name TEXT NOT NULL             -- of a lock, a function or a file
);
CREATE TABLE IF NOT EXISTS order_rows (
    position INTEGER PRIMARY KEY,  -- from 1: by the names of the two locks
    before INTEGER NOT NULL,       -- the lock that is held: order_names.id, like all that are no numbers of lines or places
    after INTEGER NOT NULL,        -- the lock that is taken
    function INTEGER NOT NULL,     -- where it is taken, in the best example: the shortest way there
    file INTEGER NOT NULL,
    line INTEGER NOT NULL,
    held_file INTEGER NOT NULL,    -- where the other was taken
    held_line INTEGER NOT NULL,    -- 0: not known
    places INTEGER NOT NULL,       -- pairs of places that do so; past 12 it may count one twice
    tried INTEGER NOT NULL,        -- 1: the example took the one it holds by a try
    gate INTEGER NOT NULL          -- another lock that the example holds around both; 0: none
);

-- What every report should say of the run.
CREATE TABLE facts (
    position INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    value TEXT NOT NULL
);

-- The numbers the findings were ranked by (rank/README.md).
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value REAL NOT NULL
) WITHOUT ROWID;
-- What silences findings: comments in the source, lines of suppression files (racerx/findings/suppress.c).
CREATE TABLE suppressions (
    position INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL,     -- as it was written
    trouble TEXT NOT NULL,  -- why it silences nothing; '': it is well formed
    used INTEGER NOT NULL   -- findings it silenced
);

-- For people with questions: docs/sql.md.
CREATE VIEW findings AS
    SELECT f.rank, f.id, f.kind, f.score, f.below_line, f.message, f.object, f.lock, f.file, f.line, f.function,
        f.suppressed, coalesce(v.verdict, '') AS verdict, coalesce(v.note, '') AS note,
        f.entry, f.group_id, f.share
    FROM finding_rows f LEFT JOIN verdicts v ON v.id = f.id;
CREATE VIEW sites AS
    SELECT s.id, s.rank, s.evidence, s.side, s.role, s.file, s.line, s.column, s.function, s.object, s.note, s.conditionals,
        (SELECT group_concat(name, ', ') FROM (SELECT name FROM site_locks l WHERE l.site = s.id ORDER BY position)) AS locks,
        (SELECT group_concat(function, ' > ') FROM (SELECT function FROM site_calls c WHERE c.site = s.id ORDER BY position)) AS chain
    FROM site_rows s;
-- `findings`: ranks of the deadlocks whose cycle it is a part of.
CREATE VIEW lock_order AS
    SELECT b.name AS before, a.name AS after, f.name AS function, p.name AS file, o.line, h.name AS held_file, o.held_line, o.places,
        o.tried, g.name AS gate,
        coalesce((SELECT group_concat(x.rank, ', ') FROM finding_objects x
            JOIN finding_rows r ON r.rank = x.rank AND r.kind = 'deadlock'
            JOIN finding_objects y ON y.rank = x.rank AND y.name = a.name
                AND y.position = (x.position + 1) % (SELECT count(*) FROM finding_objects n WHERE n.rank = x.rank)
            WHERE x.name = b.name), '') AS findings
    FROM order_rows o JOIN order_names b ON b.id = o.before JOIN order_names a ON a.id = o.after
        JOIN order_names f ON f.id = o.function JOIN order_names p ON p.id = o.file JOIN order_names h ON h.id = o.held_file
        JOIN order_names g ON g.id = o.gate;
