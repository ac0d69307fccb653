#!/usr/bin/env python3
"""The same code asked in other ways: does the answer stay?

    differential.py RACERX TREE [--work DIR] [--show]

Threads, order of work and a database that is there already must not show at all: findings are compared byte by byte.
Then every directory of the tree is read alone. What a directory alone shows and the whole tree does not is listed by
reason: in the tree it is below the line, it is suppressed, the same place has another finding, or it is not found: there
the rest of the tree says more about who calls, locks and starts threads. That is a list to read, not an error.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile


def run(racerx, work, name, tree, *words, **more):
    """Its findings as bytes; the database stays."""
    said = subprocess.run([racerx, "run", "-q", "--all", "--format", "jsonl", "--db", os.path.join(work, name + ".db"), *words, tree],
                          capture_output=True, env=dict(os.environ, RACERX_NO_PROGRESS="1", **more))
    if said.returncode:
        if b"no C file" in said.stderr:
            return b""
        sys.exit("differential: %s: %s" % (tree, said.stderr.decode(errors="replace").strip()))
    return said.stdout


def findings(text, below=""):
    return [dict(json.loads(line), where=below) for line in text.splitlines() if line.strip()]


def key(finding, below):
    """What it is about; paths as the whole tree has them."""
    return (finding.get("kind"), os.path.normpath(os.path.join(below, finding.get("file", ""))), finding.get("function", ""),
            finding.get("object", ""))


def same_answers(racerx, work, tree):
    first = run(racerx, work, "whole", tree, "-j1")
    wrong = 0
    for what, words, more, name in (("-j4", ["-j4"], {}, "threads"), ("another order", ["-j2"], {"RACERX_SHUFFLE": "7"}, "order"),
                                    ("read before", ["-j1"], {}, "whole")):
        same = run(racerx, work, name, tree, *words, **more) == first
        wrong += not same
        print("%-14s %s" % (what, "the same %d bytes" % len(first) if same else "DIFFERENT"))
    return first, wrong


def by_directory(racerx, work, tree, whole, show):
    known = collections.defaultdict(list)
    places = collections.defaultdict(list)
    for finding in findings(whole):
        known[key(finding, "")].append(finding)
        places[key(finding, "")[1:3]].append(finding)
    reasons, rows = collections.Counter(), []
    for directory in sorted(d for d in os.listdir(tree) if os.path.isdir(os.path.join(tree, d)) and d[0] != "."):
        for finding in findings(run(racerx, work, "part", os.path.join(tree, directory), "-j1")):
            if finding.get("below_line") or finding.get("suppressed"):
                continue
            at = key(finding, directory)
            there = known.get(at, [])
            reason = ("shown" if any(not f.get("below_line") and not f.get("suppressed") for f in there)
                      else "below the line" if any(f.get("below_line") for f in there) else "suppressed" if there
                      else "another finding there" if places.get(at[1:3]) else "not found")
            reasons[reason] += 1
            if reason != "shown":
                rows.append("    %s: %s %s:%s %s %s" % (reason, at[0], at[1], finding.get("line"), at[2], at[3]))
        for name in ("part.db", "part.db-journal"):
            if os.path.exists(os.path.join(work, name)):
                os.remove(os.path.join(work, name))
    print("directories alone show %d findings; of these the whole tree has: %s" %
          (sum(reasons.values()), ", ".join("%s %d" % r for r in reasons.most_common())))
    if show:
        print("\n".join(rows))


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("racerx")
    words.add_argument("tree")
    words.add_argument("--work")
    words.add_argument("--show", action="store_true")
    said = words.parse_args()
    racerx = os.path.abspath(said.racerx)
    with tempfile.TemporaryDirectory() as work:
        work = said.work or work
        os.makedirs(work, exist_ok=True)
        whole, wrong = same_answers(racerx, work, said.tree)
        by_directory(racerx, work, said.tree, whole, said.show)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
