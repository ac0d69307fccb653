-- The linked program, as far as look-ups ask for it: made by `run` and `check`, read by `callers`, `callees`, `roots` and
-- `functions`. The row `derived-atlas` of meta says of which scripts it is; without it there is none.
DROP TABLE IF EXISTS atlas_paths;
DROP TABLE IF EXISTS atlas_functions;
DROP TABLE IF EXISTS atlas_calls;
DROP TABLE IF EXISTS atlas_targets;
CREATE TABLE atlas_paths (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL           -- as shown
);
CREATE TABLE atlas_functions (
    id INTEGER PRIMARY KEY,      -- in the order of files
    name TEXT NOT NULL,
    path INTEGER NOT NULL,       -- atlas_paths.id
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    lost_bytes INTEGER NOT NULL, -- of its body, not understood
    flags INTEGER NOT NULL,      -- DECL_…
    contexts INTEGER NOT NULL,   -- 1 << CONTEXT_…: how it is started
    marks INTEGER NOT NULL,      -- racerx/link/marks.def
    called INTEGER NOT NULL,     -- 1: somebody calls it
    root INTEGER NOT NULL        -- 1: control starts here
);
CREATE TABLE atlas_calls (
    id INTEGER PRIMARY KEY,      -- atlas_functions.id
    calls BLOB NOT NULL,         -- its calls: racerx/link/atlas.c
    callers BLOB NOT NULL        -- ids of who may call it: differences, as LEB128
);
CREATE TABLE atlas_targets (     -- of calls with many targets, which they often share
    id INTEGER PRIMARY KEY,
    targets BLOB NOT NULL        -- as callers
);
