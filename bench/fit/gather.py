#!/usr/bin/env python3
"""Labelled feature vectors for `make fit`, from the trees of the evaluation (bench/eval).

    gather.py RACERX --code DIR --mirror DIR --work DIR --out DIR [--again run|rank]

Writes OUT/historic.jsonl, OUT/planted.jsonl and OUT/judged.jsonl. A line: tree, project (what is left out together), kind, label (1: reports a
labelled bug, 0: a random finding of the same tree and kind, of which nobody knows; judged: what a reader said, 0 to 1), weight (findings of one
bug share 1) and terms: what each setting of rank/default.lua is multiplied with (the ranking says so with --set terms=1). Planted trees of the
fold `held` and historic ones that are `kept` (material.LABELS) are left out: they are for reporting.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "eval"))
import material                                                         # noqa: E402

UNLABELLED = 40  # of a tree and kind
VERDICTS = {"confirmed": 1, "minor": 1, "unconfirmed": 0.5, "false": 0}


def project_of(name):
    return name.split("/")[-1].split("-")[0].rstrip("0123456789.").lower()


def terms_of(racerx, directory):
    """By id, the terms of every finding."""
    db = os.path.join(directory, "findings.db")
    command = [racerx, "rank", "--db", db, "--set", "terms=1", "--format", "jsonl", "--all", "-q"]
    result = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as listing:
        for line in listing.stdout:
            row = json.loads(line)
            sums = collections.Counter()
            for reason in row["reasons"]:
                sums[reason["text"]] += reason["points"]
            result[row["id"]] = {k: round(v, 4) for k, v in sorted(sums.items()) if v and "_" in k or k in ("race", "deadlock")}
    return result


def put(out, tree, row, terms, **more):
    line = dict(tree=tree.name, project=project_of(tree.project), kind=row["kind"], **more)
    line["terms"] = terms[row["id"]]
    out.write(json.dumps(line, separators=(",", ":")) + "\n")


def keep(tree, terms):
    """All of it beside the tree, for rescore.py."""
    rows = [[r["kind"], r.get("group") or "", terms[r["id"]]] for r in tree.rows]
    bugs = [[bug.kind, bug.hits] for bug in tree.bugs]
    line = dict(name=tree.name, project=project_of(tree.project), fold=tree.fold, kind=tree.kind, rows=rows, bugs=bugs)
    with open(os.path.join(tree.directory, "terms.json"), "w") as f:
        json.dump(line, f)


def put_count(out, tree, kind, rows, bug_of):
    """How many findings of the kind there are, and how many bugs they report: the labelled ones, at least."""
    bugs = sum(sum(w) for i, w in bug_of.items() if tree.rows[i]["kind"] == kind)
    line = dict(tree=tree.name, project=project_of(tree.project), kind=kind, count=len(rows), bugs=round(bugs, 4))
    out.write(json.dumps(line, separators=(",", ":")) + "\n")


def put_tree(out, racerx, tree):
    bug_of = collections.defaultdict(list)
    for bug in tree.bugs:
        for i in bug.hits:
            bug_of[i].append(1.0 / len(bug.hits))
    terms = terms_of(racerx, tree.directory)
    keep(tree, terms)
    if tree.fold in ("held", "kept"):
        return
    kinds = collections.defaultdict(list)
    for i, row in enumerate(tree.rows):
        if i in bug_of:
            put(out, tree, row, terms, label=1, weight=round(min(1, sum(bug_of[i])), 4))
        else:
            kinds[row["kind"]].append(row)
    for kind in sorted(set(kinds) | {tree.rows[i]["kind"] for i in bug_of}):
        put_count(out, tree, kind, kinds[kind], bug_of)
    with_bugs = {tree.rows[i]["kind"] for i in bug_of}
    for kind in sorted(with_bugs):
        rows = sorted(kinds[kind], key=lambda r: r["id"])
        for row in random.Random(tree.name + kind).sample(rows, min(UNLABELLED, len(rows))):
            put(out, tree, row, terms, label=0, weight=1)


def put_judged(out, racerx, tree, verdicts):
    at = {}
    for row in tree.rows:
        for site in row["sites"]:
            at.setdefault((row["kind"], site["file"], site["function"]), []).append(row)
    terms = terms_of(racerx, tree.directory)
    for said in verdicts:
        rows = at.get((said["kind"], said["file"], said["function"]), [])
        rows = sorted(rows, key=lambda r: (bool(said["object"]) and r["object"] != said["object"], r["line"] != said["line"]))
        if rows and said["verdict"] in VERDICTS:
            put(out, tree, rows[0], terms, judged=VERDICTS[said["verdict"]])


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("racerx")
    for name in ("code", "mirror", "work", "out"):
        arguments.add_argument("--" + name, required=True)
    arguments.add_argument("--again", choices=("run", "rank", "keep"), default="run")
    arguments.add_argument("--only", default="historic,planted,judged")
    o = arguments.parse_args()
    racerx = os.path.abspath(o.racerx)
    known = (t for labels, fold, use in material.LABELS
             for t in material.historic(racerx, o.mirror, o.work, o.again, labels=labels, fold=fold, use=use))
    for name, trees in (("historic", known),
                        ("planted", (t for t in material.planted(racerx, o.code, o.work, o.again)))):
        if name in o.only:
            with open(os.path.join(o.out, name + ".jsonl"), "w") as out:
                for tree in trees:
                    put_tree(out, racerx, tree)
    if "judged" in o.only:
        with open(os.path.join(o.out, "judged.jsonl"), "w") as out:
            for tree, verdicts in material.judged(racerx, o.code, o.work, o.again):
                put_judged(out, racerx, tree, verdicts)


main()
