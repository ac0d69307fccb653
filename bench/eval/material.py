"""The trees of the evaluation: what they are, how they are laid out, what was found in them, which findings are labelled bugs.

A Tree has a name, a project, a kind (kernel or program), a fold (historic, fit, held), its rows (findings as JSON, in the list's
order) and its bugs: a label each, and the indices of the findings that report it. Nothing here knows how findings are ranked.
"""
import collections
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "plant"))
import score_injected                                                   # noqa: E402

# Labels of historic bugs, which of them, and what their trees are for: weights are fitted on `historic` and reported on `kept` ones.
LABELS = (("bugs.jsonl", "", "historic"), ("user_bugs.jsonl", "work", "historic"), ("bugs_kernels.jsonl", "fit", "historic"),
          ("user_bugs.jsonl", "held", "kept"), ("bugs_kernels.jsonl", "held", "kept"))

# A bug of the first kind is found by a finding of the others.
CLASSES = {
    "deadlock": {"deadlock", "irq-deadlock", "double-lock"},
    "irq-deadlock": {"irq-deadlock", "deadlock"},
    "double-lock": {"double-lock", "deadlock", "lock-leak"},
    "lock-leak": {"lock-leak", "unlock-unheld", "double-lock"},
    "unlock-unheld": {"unlock-unheld", "lock-leak"},
    "sleep-in-atomic": {"sleep-in-atomic", "deadlock"},
    "race": {"race", "stale-check", "stale-copy"},
}
KERNELS = ("zephyr", "DragonFlyBSD", "linux", "xen", "nuttx", "rt-thread", "mynewt", "zfs", "openbsd", "illumos", "RIOT", "optee", "littlekernel")
SOURCES = (b".c", b".h", b".inc", b".def", b".lua")

Bug = collections.namedtuple("Bug", "kind label hits")

with_init = False  # analyse with the declarations that `racerx init` writes for the tree


class Tree:
    def __init__(self, name, project, fold, directory, rows):
        self.name, self.project, self.fold, self.directory, self.rows = name, project, fold, directory, rows
        self.kind = "kernel" if any(k in project for k in KERNELS) else "program"
        self.bugs = []

    def shown(self):
        return sum(not r["below_line"] for r in self.rows)


# running ------------------------------------------------------------------------

def run(racerx, directory, tree, out, again):
    """The findings of a tree, kept beside it; made anew when the program is newer, ranked anew when `again` says so."""
    out += ".init" if with_init else ""
    path, db = os.path.join(directory, out + ".jsonl"), os.path.join(directory, out + ".db")
    old = not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(racerx)
    if again == "rank" and os.path.exists(db):
        words = ["rank", "--db", db]
    elif again == "keep":
        return load(path) if os.path.exists(path) else None
    elif not old:
        return load(path)
    else:
        words = ["run", "--db", db, tree]
        if with_init:
            script = os.path.join(directory, out + ".lua")
            subprocess.run([racerx, "init", "-o", script, "--db", db, tree], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            words += ["--annotator", script]
    start = time.time()
    with open(path + ".part", "w") as f:
        status = subprocess.run([racerx] + words + ["--format", "jsonl", "--all", "-q"], stdout=f).returncode
    os.rename(path + ".part", path)
    print("%s: %s in %.0f s, status %d" % (path, words[0], time.time() - start, status), file=sys.stderr, flush=True)
    return load(path)


def load(path):
    with open(path, errors="replace") as f:
        return [json.loads(line) for line in f]


# historic -----------------------------------------------------------------------

def lay_out(mirror, work, repo, commit, sub):
    """A commit's sources under work; None when the project's git directory is not there."""
    name = commit[:12] + ("-" + sub.strip("/").replace("/", "_") if sub else "")
    directory = os.path.join(work, "historic", repo.replace("/", "+"), name)
    if os.path.isdir(directory + "/tree"):
        return directory
    git = ["git", "--git-dir", os.path.join(mirror, repo.replace("/", "+"), "repo")]
    if not os.path.isdir(git[2]):
        return None
    listing = subprocess.run(git + ["ls-tree", "-r", "-z", commit] + ([sub] if sub else []), capture_output=True).stdout
    entries = [e.split(b"\t", 1) for e in listing.split(b"\0") if b"\t" in e]
    reader = subprocess.Popen(git + ["cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for head, path in entries:
        mode, _type, blob = head.split()
        if not path.endswith(SOURCES) or mode == b"120000":
            continue
        reader.stdin.write(blob + b"\n")
        reader.stdin.flush()
        answer = reader.stdout.readline().split()
        if answer[-1] == b"missing":
            continue
        text = reader.stdout.read(int(answer[2]))
        reader.stdout.read(1)
        target = os.path.join(directory, "part", path.decode("utf8", "replace"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as f:
            f.write(text)
    reader.stdin.close()
    os.rename(directory + "/part", directory + "/tree")
    return directory


def last_name(text):
    return (text or "").replace("->", ".").replace(":", ".").split(".")[-1].split("[")[0].strip("&*() ")


def historic_hits(rows, at, bug):
    names = ({last_name(bug.get("object"))} | {last_name(x) for x in bug.get("locks", [])}) - {""}
    hits = set()
    for place in [bug] + bug.get("also", []):
        lines = place.get("lines") or []
        for i, site in at.get((place["file"], place["function"]), []):
            row = rows[i]
            if row["kind"] not in CLASSES.get(bug["kind"], {bug["kind"]}):
                continue
            near = lines and lines[0] - 3 <= site["line"] <= lines[-1] + 3
            said = {last_name(row.get("object")), last_name(row.get("lock"))} | {last_name(x) for x in row["objects"]}
            if near or names & said:
                hits.add(i)
    return sorted(hits)


def historic(racerx, mirror, work, again, match="", labels="bugs.jsonl", fold="", use="historic"):
    groups = collections.OrderedDict()
    for bug in load(os.path.join(HERE, labels)):
        if fold and bug.get("fold") != fold:
            continue
        groups.setdefault((bug["repo"], bug["tree"], bug.get("sub", "")), []).append(bug)
    for (repo, commit, sub), bugs in groups.items():
        if match not in repo:
            continue
        directory = lay_out(mirror, work, repo, commit, sub)
        if not directory:
            print("%s is not here: %d bugs not measured" % (repo, len(bugs)), file=sys.stderr)
            continue
        rows = run(racerx, directory, directory + "/tree", "findings", again)
        tree = Tree("%s@%s" % (repo, commit[:12]), repo, use, directory, rows)
        at = collections.defaultdict(list)
        for i, row in enumerate(rows):
            for site in row["sites"]:
                at[(site["file"], site["function"])].append((i, site))
        tree.bugs = [Bug(b["kind"], b, historic_hits(rows, at, b)) for b in bugs]
        yield tree


# planted ------------------------------------------------------------------------

def plants():
    with open(os.path.join(HERE, "plants.txt")) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                yield line.split()


def plant(code, directory, tree, table, seed, count, evidence, per_dir, subdirs, also, out):
    words = [sys.executable, os.path.join(HERE, "plant", "inject.py"), os.path.join(code, tree), "--out",
             os.path.join(directory, out), "--mutants", os.path.join(directory, out + ".mutants.json"), "--lock-table", table,
             "--seed", seed, "--count", count, "--min-evidence", evidence, "--per-dir", per_dir]
    words += [] if subdirs == "-" else ["--subdir", subdirs]
    words += [] if also == "-" else ["--copy-also", also]
    with open(os.path.join(directory, out + ".log"), "w") as log:
        subprocess.run(words, stdout=log, stderr=log, check=True)


def planted(racerx, code, work, again, match="", only=""):
    """Original trees are shared by all seeds of the same directories."""
    for name, _kind, fold, tree, table, seed, count, evidence, per_dir, subdirs, also in plants():
        directory = os.path.join(work, "planted", name)
        if match not in name or only not in fold or not os.path.isdir(os.path.join(code, tree)):
            continue
        if again == "keep" and not os.path.exists(os.path.join(directory, "findings.jsonl")):
            continue
        os.makedirs(directory, exist_ok=True)
        for out, number in (("mutated", count), ("original", "0")):
            if not os.path.isdir(os.path.join(directory, out)):
                plant(code, directory, tree, table, seed, number, evidence, per_dir, subdirs, also, out)
        before = run(racerx, directory, directory + "/original", "original.findings", again)
        rows = run(racerx, directory, directory + "/mutated", "findings", again)
        result = Tree(name, tree.split("-")[0], fold, directory, rows)
        with open(os.path.join(directory, "mutated.mutants.json")) as f:
            mutants = json.load(f)
        result.bugs = planted_bugs(mutants, rows, before)
        yield result


def planted_bugs(mutants, rows, before):
    findings = [score_injected.Finding(dict(r, rank=i + 1), i) for i, r in enumerate(rows)]
    old = [score_injected.Finding(r, i) for i, r in enumerate(before)]
    ids, signatures = {f.id for f in old}, {f.signature() for f in old}
    index = score_injected.Index(findings)
    bugs = []
    for mutant in mutants:
        hits = [f.rank - 1 for f in index.of(mutant)
                if score_injected.matches(mutant, f) and f.id not in ids and f.signature() not in signatures]
        bugs.append(Bug(mutant["operator"], mutant, sorted(set(hits))))
    return bugs


# judged -------------------------------------------------------------------------

def judged(racerx, code, work, again):
    """Trees at hand of which readers judged findings, with the last verdict on each place."""
    verdicts = os.path.join(HERE, "..", "verdicts")
    for file in sorted(os.listdir(verdicts)):
        name = file[:-len(".jsonl")]
        if not file.endswith(".jsonl") or not os.path.isdir(os.path.join(code, name)):
            continue
        directory = os.path.join(work, "judged", name)
        if again == "keep" and not os.path.exists(os.path.join(directory, "findings.jsonl")):
            continue
        os.makedirs(directory, exist_ok=True)
        rows = run(racerx, directory, os.path.join(code, name), "findings", again)
        last = {(v["kind"], v["file"], v["line"], v["function"], v["object"]): v for v in load(os.path.join(verdicts, file))}
        yield Tree(name, name, "judged", directory, rows), list(last.values())
