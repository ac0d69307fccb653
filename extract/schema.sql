-- schema.sql: the database of racerx, written by `racerx extract`.
-- Keys are 16 bytes, most significant first. Paths are bytes, not text: they need not be UTF-8.
-- application_id says that the file is ours, user_version which schema and tree format it has;
-- both are set by store.c in the transaction that runs this script.

-- Facts about the whole: the version that wrote it, options, declarations, the harvest.
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- The files of the last finished run, in the order they are shown.
CREATE TABLE files (
    path BLOB PRIMARY KEY,     -- as shown: relative to the analysed directory
    full BLOB NOT NULL,        -- as opened
    kind INTEGER NOT NULL,     -- FileKind: 0 source, 1 header, 2 preprocessed
    size INTEGER NOT NULL,     -- bytes
    mtime INTEGER NOT NULL,    -- nanoseconds
    content BLOB NOT NULL,     -- key of the bytes
    environment BLOB NOT NULL, -- key of the macros that shaped the tree
    tree BLOB NOT NULL         -- trees.key
) WITHOUT ROWID;

-- One tree per content and environment. Rows are appended, so that loading writes each page once;
-- bodies are apart, so that linking, which reads every head, passes over none of them.
CREATE TABLE trees (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    head BLOB NOT NULL -- declarations: docs/trees.md
);
CREATE TABLE bodies (
    id INTEGER PRIMARY KEY, -- trees.id
    bytes BLOB NOT NULL     -- the functions' bodies, one after another; the head says where each is
);

-- The names a file looked up while its tree was made: what tells whether a changed macro concerns it.
CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE, -- trees.key
    hashes BLOB NOT NULL      -- sorted 32-bit hashes: their number, then the differences, as LEB128
);
