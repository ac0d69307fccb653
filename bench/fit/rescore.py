#!/usr/bin/env python3
"""The evaluation's tables from kept terms and other settings, in seconds: no racerx runs.

    rescore.py --work DIR [--line L] DEFAULT.lua [WITHOUT-DIR]

reads every terms.json that gather.py left under DIR, scores by the settings of DEFAULT.lua (of WITHOUT-DIR/without-PROJECT.lua where there is
one), orders as racerx does (above the line first, of these the entries before their siblings) and counts.
"""
import argparse
import collections
import json
import os
import re

COLUMNS = ("bugs", "found", "shown", "first 5 %", "first 50", "first 100")


def settings_of(path):
    with open(path) as f:
        return {k: float(v) for k, v in re.findall(r"^\s*(\w+)\s*=\s*(-?[\d.]+),", f.read(), re.M)}


BASES = {"race", "deadlock", "deadlock_wait", "double_lock", "irq_deadlock", "sleep_in_atomic", "lock_leak", "unlock_unheld"}


def score_of(kind, terms, weights):
    blunt = weights.get("blunt_" + kind.replace("-", "_"), 0)
    points = [weights.get(k, 0) * v for k, v in terms.items() if k not in BASES]
    base = sum(weights.get(k, 0) * v for k, v in terms.items() if k in BASES)
    much = sum(p for p in points if p > 0)
    over = max(much - weights.get("blunt_from", 2), 0)
    return base + sum(p for p in points if p < 0) + much - over + over / (1 + blunt * over)


def order_of(rows, weights, line):
    """Places of the findings, and how many are shown."""
    scores = [score_of(kind, terms, weights) for kind, _group, terms in rows]
    ranked = sorted(range(len(rows)), key=lambda i: (scores[i] < line, -scores[i], rows[i][0], i))
    seen, sibling = set(), [False] * len(rows)
    for i in ranked:
        group = rows[i][1]
        sibling[i] = bool(group) and group in seen
        seen.add(group)
    ranked.sort(key=lambda i: (scores[i] < line, sibling[i], -scores[i], rows[i][0], i))
    place = {i: p for p, i in enumerate(ranked)}
    return place, sum(s >= line for s in scores), scores


def columns_of(hits, place, shown):
    said = {"bugs"}
    if hits:
        best = min(place[i] for i in hits)
        said.add("found")
        if best < shown:
            said.add("shown")
            said |= {c for c, most in (("first 50", 50), ("first 100", 100), ("first 5 %", max(1, 0.05 * shown))) if best < most}
    return said


def show(title, groups):
    total = collections.Counter()
    print("%-24s" % title + "".join("%11s" % c for c in COLUMNS))
    for name in sorted(groups):
        total.update(groups[name])
        print("  %-22s" % name + "".join("%11d" % groups[name][c] for c in COLUMNS))
    print("  %-22s" % "of 100" + "".join("%11.0f" % (100 * total[c] / max(1, total["bugs"])) for c in COLUMNS))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("--work", required=True)
    arguments.add_argument("--line", type=float)
    arguments.add_argument("default")
    arguments.add_argument("without", nargs="?")
    o = arguments.parse_args()
    common = settings_of(o.default)
    tables = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    projects = collections.defaultdict(collections.Counter)
    for directory, _names, files in sorted(os.walk(o.work, followlinks=True)):
        if "tree" in _names or "mutated" in _names:
            _names[:] = []
        if "terms.json" not in files:
            continue
        with open(os.path.join(directory, "terms.json")) as f:
            tree = json.load(f)
        weights = dict(common)
        special = os.path.join(o.without or "", "without-%s.lua" % tree["project"])
        if o.without and os.path.exists(special) and tree["fold"] == "historic":
            fitted = settings_of(special)
            weights = {k: v for k, v in common.items() if k == "line"}
            weights.update(fitted)
        place, shown, _scores = order_of(tree["rows"], weights, o.line if o.line is not None else weights["line"])
        title = "historic" if tree["fold"] == "historic" else "historic, kept apart" if tree["fold"] == "kept" else "planted %s %s" % (tree["kind"], tree["fold"])
        for kind, hits in tree["bugs"]:
            said = columns_of(hits, place, shown)
            tables[title][kind].update(said)
            if tree["fold"] == "historic":
                projects[tree["project"]].update(said)
    for title in sorted(tables):
        show(title, tables[title])
    print("historic, mean over %d projects: " % len(projects) + ", ".join(
        "%s %.0f" % (c, 100 * sum(p[c] / p["bugs"] for p in projects.values()) / max(1, len(projects))) for c in COLUMNS[1:4]))


main()
