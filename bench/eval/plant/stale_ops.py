"""Operators that plant stale facts: what was true under a lock is relied on after it.  See README.md.

drop-recheck   a condition that is asked again after the lock was (re)taken is not asked any more
split-section  the lock is let go and taken again between a check, or a copy, and what relies on it

Both are generators over the sections of one function; candidates have the form of inject.py's.
"""
import re

EXITS = ("return", "goto", "break", "continue")
_ALIKE = re.compile(r'\s*(?:==|!=)\s*(?:NULL|0)\b|!')


def condition(an, stmt):
    """the text of a condition, without whether it is asked for or against"""
    t = an.t[stmt.ca:stmt.cb]
    while t and t[0] in ("unlikely", "likely") and t[1:2] == ["("] and t[-1] == ")":
        t = t[2:-1]
    return _ALIKE.sub("", "".join(t)).strip("()")


def leaves(stmt):
    """does control leave at its end?"""
    s = stmt
    while s.kind == "block" and s.sub:
        s = s.sub[-1]
    return s.kind in EXITS


def inside(stmt, outer):
    while stmt is not None and stmt is not outer:
        stmt = stmt.parent
    return stmt is outer


def use_of(an, fi, node, key, asked):
    """how a node relies on an object: 'write', 'dereference', 'index', or None"""
    for k, base, kind, i in an.accesses(node):
        if k != key:
            continue
        end = i + (3 if key[0] == "f" else 1)
        after = an.t[end] if end < len(an.t) else ""
        if kind != "r":
            return "write"
        if after == "->" or (key[0] == "g" and after == "->"):
            return "dereference"
        if i and an.t[i - 1] == "[" and after in ("]", "++", "--"):
            return "index"
    return None


def plain_section(fi, sec):
    an = fi.an
    k, rels, held, _ = sec
    s = an.sites[k]
    return s.mode == "x" and s.role == "acq" and not fi.quiet and rels and all(an.sites[r].plain for r in rels)


def alone(an, i):
    """is the section's lock the only one that is held here?"""
    return an.nodes[i].locks is not None and len(an.nodes[i].locks) == 1


def evident(self, fi, key, s):
    """Others write the object under the lock. Unlike a race, who goes without it does not matter here: None or a dict"""
    per = self.belief.get(key, {}).get(s.key) or {}
    others = {f: rs for f, rs in per.items() if f.f.name != fi.f.name}
    live = {f: rs for f, rs in others.items() if not f.quiet and any(r.kind != "r" for r in rs)}
    if len(others) < self.opts.min_evidence or not live:
        return None
    best = sorted(live, key=lambda f: (f.path != fi.path, f.path, f.f.start))[0]
    r = sorted(live[best], key=lambda r: (r.kind == "r", r.line))[0]
    return {"functions": len(others), "writing": len(live), "unprotected": 0,
            "site": "%s:%d" % (r.file, r.line), "site_function": best.f.name}


def common(fi, s, key, ev, names):
    return dict(object=names[0](key), object_name=names[1](key), objects=[names[0](key)], objkey=list(key),
                lock=s.expr, lock_name=names[1](s.key), lock_key=names[0](s.key), lock_class=s.cls,
                other_site=ev["site"], other_function=ev["site_function"],
                evidence={x: ev[x] for x in ("functions", "writing", "unprotected")})


def conditions(an):
    return [(i, nd) for i, nd in enumerate(an.nodes)
            if nd.kind == "cond" and nd.stmt.kind == "if" and nd.locks is not None and not nd.ev]


def checked(fi, i):
    """objects that a condition reads"""
    return [(k, b) for k, b, kind, _t in fi.an.accesses(i) if kind == "r"]


def drop_recheck(self, fi, sec, names):
    """if (x) … LOCK; if (x) …: the second is not asked"""
    an, src = fi.an, fi.f.src
    k, rels, held, _ = sec
    s = an.sites[k]
    if not plain_section(fi, sec) or self.entry_locks(fi) or s.key in self.may_hold(fi):
        return
    before = {key for i, nd in conditions(an) if i not in held and an.pos[nd.a] < an.pos[an.nodes[s.node].a]
              for key, _b in checked(fi, i)}
    for i, nd in conditions(an):
        stmt = nd.stmt
        if i not in held or not alone(an, i) or len(stmt.sub) > 1:
            continue
        for key, base in checked(fi, i):
            ev = None if key not in before or (key[0] == "f" and base != s.base and s.key[0] == "f") \
                else evident(self, fi, key, s)
            if not ev:
                continue
            uses = [j for j in held if j != i and an.pos[an.nodes[j].a] > an.pos[nd.a] and use_of(an, fi, j, key, nd)]
            body = stmt.sub[0]
            if leaves(body):
                uses = [j for j in uses if not inside(an.nodes[j].stmt, body)]
                a, b = self._span(an, stmt)
                edit = [a, b, ";" + "\n" * src.text.count("\n", a, b)]
            else:
                uses = [j for j in uses if inside(an.nodes[j].stmt, body)]
                a, b = an.pos[stmt.a], an.pos[stmt.cb] + 1
                edit = [a, b, "\n" * src.text.count("\n", a, b)]
            if not uses:
                continue
            text = condition(an, stmt)
            line = src.line(an.pos[an.nodes[min(uses, key=lambda j: an.pos[an.nodes[j].a])].a])
            yield self._cand(fi, "drop-recheck", [edit], line, lines=[src.line(an.pos[stmt.a]), line],
                             strength=4 + min(ev["functions"], 8) / 4.0, dropped=text,
                             asked=sum(condition(an, x.stmt) == text for _i, x in conditions(an)),
                             note="%s is not asked again under %s" % (text, s.expr), **common(fi, s, key, ev, names))
            break


def copied(an, nd):
    """`v = …;`: the local that is written, or None"""
    t = an.t
    if nd.kind != "expr" or nd.ev or t[nd.a + 1:nd.a + 2] != ["="] or t[nd.a] not in an.decls or "(" in t[nd.a:nd.b]:
        return None
    return t[nd.a]


def use_of_copy(an, fi, node, var, key):
    """the object written with what was made of the copy, the copy dereferenced, or an index"""
    t, nd = an.t, an.nodes[node]
    at = [i for i in range(nd.a, nd.b) if t[i] == var and t[i - 1] not in (".", "->")]
    if not at or nd.ev:
        return None
    if any(t[i + 1:i + 2] == ["->"] for i in at):
        return "dereference"
    if any(t[i - 1] == "[" and t[i + 1:i + 2] == ["]"] for i in at):
        return "index"
    writes = [i for k, _b, kind, i in an.accesses(node) if k == key and kind != "r"]
    return "update" if writes and at[-1] > writes[0] else None


def relied_on(an, fi, i, held, begin, body, out):
    """[(position, how, node, key)] of what relies on what node i checked or copied"""
    uses, nd, var = [], an.nodes[i], copied(an, an.nodes[i])
    for key, base in checked(fi, i):
        for j in held:
            if an.pos[an.nodes[j].a] <= begin or j == i or (body and inside(an.nodes[j].stmt, body) == out):
                continue
            how = use_of_copy(an, fi, j, var, key) if var else use_of(an, fi, j, key, nd)
            if how:
                uses.append((an.pos[an.nodes[j].a], how, j, key, base))
    return sorted(uses)


def is_renewed(an, fi, i, held, use):
    """is the object looked at, or the local written, between the check or copy and its use?"""
    var, first = copied(an, an.nodes[i]), an.pos[an.nodes[i].a]
    for m in held:
        nd = an.nodes[m]
        if m == i or not first < an.pos[nd.a] < use[0]:
            continue
        if nd.kind == "cond" and (use[3] in [k for k, _b in checked(fi, m)] or (var and var in an.t[nd.a:nd.b])):
            return True
        if (var and copied(an, nd) == var) or any(k == use[3] and kind != "r" for k, _b, kind, _t in an.accesses(m)):
            return True
    return False


def split_section(self, fi, sec, names):
    """LOCK; if (!x) { UNLOCK; return; } use x: the lock is let go and taken again before the use"""
    an, src = fi.an, fi.f.src
    k, rels, held, _ = sec
    s = an.sites[k]
    if not plain_section(fi, sec) or self.entry_locks(fi) or s.key in self.may_hold(fi):
        return
    if not s.argtok or not all(an.sites[r].argtok for r in rels):
        return
    here = an.nodes[s.node].stmt
    gone = an.nodes[an.sites[rels[0]].node].stmt
    take, drop = (src.text[slice(*self._span(an, x))] for x in (here, gone))
    if "\n" in take + drop or any(src.text[slice(*self._span(an, an.nodes[an.sites[r].node].stmt))] != drop
                                  for r in rels):
        return
    for i in held:
        nd = an.nodes[i]
        stmt, body, out = nd.stmt, None, True
        if not alone(an, i) or stmt is None or stmt.parent is None or stmt.parent.kind != "block":
            continue
        if nd.kind == "cond" and stmt.kind == "if" and not nd.ev and len(stmt.sub) == 1:
            body = stmt.sub[0]
            out = leaves(body)
            if not out and body.kind != "block":
                continue
            at = an.pos[stmt.b - 1] + 1 if out else an.pos[body.a] + 1
        elif copied(an, nd):
            at = an.pos[stmt.b - 1] + 1
        else:
            continue
        for use in relied_on(an, fi, i, held, an.pos[nd.a], body, out):
            _p, how, j, key, base = use
            ev = None if key[0] == "f" and base != s.base and s.key[0] == "f" else evident(self, fi, key, s)
            if not ev or is_renewed(an, fi, i, held, use):
                continue
            line = src.line(an.pos[an.nodes[j].a])
            yield self._cand(fi, "split-section", [[at, at, " %s %s" % (drop, take)]], line,
                             lines=[src.line(an.pos[stmt.a]), line], split_line=src.line(at),
                             how=("copy, " if copied(an, nd) else "check, ") + how,
                             strength=4 * (how == "dereference") + 3 * (how == "index") + min(ev["functions"], 8) / 4.0,
                             note="%s is let go between the %s of %s and its %s"
                                  % (s.expr, "copy" if copied(an, nd) else "check", names[1](key), how),
                             **common(fi, s, key, ev, names))
            break


def verify(c, an, src):
    """None when the mutated function shows what was meant"""
    if not an.balanced:
        return "no longer balanced"
    if c["operator"] == "drop-recheck":
        left = sum(condition(an, nd.stmt) == c["dropped"] for _i, nd in conditions(an))
        return None if left == c["asked"] - 1 else "the condition is asked %d times" % left
    events = [nd.ev[0] for nd in an.nodes if nd.ev and src.line(an.pos[nd.a]) == c["split_line"]]
    return None if "rel" in events and "acq" in events else "the section is not split"
