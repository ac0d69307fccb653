-- verdicts.sql: what reviewers said. Never dropped, never updated: a row for every verdict that was given.
-- findings.sql is made anew by every check; this stays.
CREATE TABLE IF NOT EXISTS verdicts_given (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,       -- of the finding: finding_rows.id
    verdict TEXT NOT NULL,  -- racerx/findings/verdicts.def; '': the earlier ones are taken back
    note TEXT NOT NULL,
    reviewer TEXT NOT NULL, -- a name they gave, or ''
    time INTEGER NOT NULL,  -- seconds since 1970
    kind TEXT NOT NULL,     -- what the finding was about, for when it is found no more
    object TEXT NOT NULL,
    lock TEXT NOT NULL,
    file TEXT NOT NULL,
    function TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS verdicts_given_id ON verdicts_given (id, sequence);
-- The last one of each finding.
CREATE VIEW IF NOT EXISTS verdicts AS
    SELECT id, verdict, note, reviewer, time, kind, object, lock, file, function, sequence
    FROM verdicts_given g
    WHERE sequence = (SELECT max(sequence) FROM verdicts_given l WHERE l.id = g.id) AND verdict <> '';
