#!/usr/bin/env python3
"""One page: planted and historic bugs found, shown, in the first 5 % and the first 50 and 100; judged first pages.

    page.py RACERX --code DIR --mirror DIR --work DIR [--again run|rank|keep] [--only historic|planted|judged] [--match WORD] [--missed]
          [--bugs FILE] [--fold fit|held] [--init]

--again run: analyse what is older than the program (the default); rank: only rank what the databases hold, seconds a tree;
keep: read the lists that are there. --init: with what `racerx init` proposes for each tree. See README.md.
"""
import argparse
import collections
import json
import os

import material

COLUMNS = ("bugs", "found", "shown", "first 5 %", "first 50", "first 100")


def where(tree, bug):
    """Which columns a bug counts in: by the place of the best finding that reports it."""
    said = {"bugs"}
    if not bug.hits:
        return said
    said.add("found")
    best = bug.hits[0]
    if tree.rows[best]["below_line"]:
        return said
    said.add("shown")
    said.update(c for c, most in (("first 50", 50), ("first 100", 100)) if best < most)
    if best < max(1, 0.05 * tree.shown()):
        said.add("first 5 %")
    return said


def table(title, groups):
    print("%-26s" % title + "".join("%11s" % c for c in COLUMNS))
    total = collections.Counter()
    for name in sorted(groups):
        total.update(groups[name])
        print("  %-24s" % name + "".join("%11d" % groups[name][c] for c in COLUMNS))
    print("  %-24s" % "all" + "".join("%11d" % total[c] for c in COLUMNS))
    print("  %-24s" % "of 100" + "".join("%11.0f" % (100.0 * total[c] / max(1, total["bugs"])) for c in COLUMNS))


def means(trees):
    """Over projects, so that a large one does not speak for all."""
    projects = collections.defaultdict(collections.Counter)
    for tree in trees:
        for bug in tree.bugs:
            projects[tree.project].update(where(tree, bug))
    shares = ["%s %.0f" % (c, 100 * sum(p[c] / p["bugs"] for p in projects.values()) / max(1, len(projects))) for c in COLUMNS[1:]]
    print("  mean over %d projects, of 100: %s" % (len(projects), ", ".join(shares)))


def count(trees, key):
    groups = collections.defaultdict(collections.Counter)
    for tree in trees:
        for bug in tree.bugs:
            groups[key(tree, bug)].update(where(tree, bug))
    return groups


def missed(trees):
    for tree in trees:
        for bug in tree.bugs:
            said = where(tree, bug)
            place = "place %d of %d" % (bug.hits[0] + 1, tree.shown()) if bug.hits else "missed"
            print("  %-22s %-16s %s %s: %s" % (tree.name[-22:], bug.kind, bug.label["file"], bug.label["function"],
                                            place + ("" if "shown" in said or not bug.hits else ", below the line")))


def judged(directory):
    """Verdicts of readers, a JSON line each: {tree, rank, kind, …, verdict}."""
    groups = collections.defaultdict(collections.Counter)
    for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else []:
        if name.endswith(".jsonl"):
            for row in material.load(os.path.join(directory, name)):
                groups[row.get("kind", "?")][row["verdict"]] += 1
    if not groups:
        return
    words = ("confirmed", "minor", "unconfirmed", "false")
    print("%-26s" % "judged by readers" + "".join("%12s" % w for w in words))
    for kind in sorted(groups):
        print("  %-24s" % kind + "".join("%12d" % groups[kind][w] for w in words))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("racerx")
    for name in ("code", "mirror", "work"):
        arguments.add_argument("--" + name, required=True)
    arguments.add_argument("--again", choices=("run", "rank", "keep"), default="run")
    arguments.add_argument("--only", default="historic,planted,judged")
    arguments.add_argument("--match", default="")
    arguments.add_argument("--bugs", default="bugs.jsonl", help="labels of historic bugs, beside this file")
    arguments.add_argument("--fold", default="", help="of these labels: fit, held")
    arguments.add_argument("--missed", action="store_true", help="where each bug is")
    arguments.add_argument("--init", action="store_true", help="with the declarations that init writes")
    o = arguments.parse_args()
    material.with_init = o.init
    racerx = os.path.abspath(o.racerx)
    if "historic" in o.only:
        trees = list(material.historic(racerx, o.mirror, o.work, o.again, o.match, o.bugs, o.fold))
        table("historic bugs", count(trees, lambda t, b: b.kind))
        means(trees)
        if o.missed:
            missed(trees)
    if "planted" in o.only:
        trees = list(material.planted(racerx, o.code, o.work, o.again, o.match))
        for kind in ("kernel", "program"):
            for fold in ("held", "fit"):
                some = [t for t in trees if t.kind == kind and t.fold == fold]
                if some:
                    table("planted, %ss, %s" % (kind, "held out" if fold == "held" else "fitted on"), count(some, lambda t, b: b.kind))
        if o.missed:
            missed(trees)
    if "judged" in o.only:
        judged(os.path.join(material.HERE, "..", "verdicts"))


main()
