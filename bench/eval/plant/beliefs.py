"""What a directory believes, and the mutations that go against it: one method for each operator.

In: the sources of a directory (csource.py) and a lock table. Out: candidates, each with its edits and the belief that
it breaks. Only what is clearly understood is offered.
"""
import collections
import os
import random
import re

import locktables
import stale_ops
from csource import Analysis, Env, normal
from ctext import Source, Unclear

OPERATORS = ("drop-lock", "early-unlock", "wrong-lock", "swap-order", "add-inversion", "drop-unlock",
             "drop-recheck", "split-section")

# Functions that run before an object is shared or after it no longer is: poor places for a race,
# and their unlocked accesses do not speak against a belief.
_W = (r'init\w*|setup|probe|attach|alloc\w*|create\w*|new|ctor|construct\w*|exit|fini|finish|cleanup|'
      r'remove\w*|detach\w*|free\w*|destroy\w*|unload|load|teardown|shutdown|uninit|deinit|register|'
      r'unregister|module|mount|umount|unmount|kill_sb|put_super|fill_super|dtor|destruct\w*|disconnect|'
      r'delete|deregister|startup|boot|unbind|bind|purge|flush_all')
INITLIKE = re.compile(r'(?:^|_)(?:%s)(?:_|\d*$)' % _W, re.I)
QUIET = re.compile(r'(?:^|_)(?:%s|dump\w*|debug\w*|dbg|test\w*|selftest|suspend|resume|panic|halt|reboot|'
                   r'poweroff|clear_inode|evict\w*|final\w*|dispose|term|terminate|recover\w*|print|show|stats?|proc_info|release|last)(?:_|\d*$)' % _W, re.I)
INITSECTION = re.compile(r'\b__(?:init|exit|devinit|devexit|cpuinit|meminit)\b')
FRESH = re.compile(r'\b(\w+)\s*=\s*(?:\([^()]*\)\s*)?\w*(?:alloc|create|_new|new_|get_free|MALLOC|dup)\w*\s*\(')
WORDCALL = re.compile(r'\b([A-Za-z_]\w*)\s*\(')
ERRRET = re.compile(r'-\s*E[A-Z]+|\bE[A-Z]{2,}\b|NULL|-\s*1\b|\berr\w*|\bret\w*\b|\brc\b|\bresult\b|\bstatus\b|'
                    r'FALSE|\bfalse\b|FAILED|FAILURE|ERROR|ERR_PTR|IRQ_NONE', re.I)
WAITS = re.compile(r'\b(?:msleep|tsleep|cv_wait\w*|cv_timedwait\w*|wait_event\w*|pthread_cond_\w*wait|'
                   r'prepare_to_wait\w*|schedule\w*|sleep_on\w*)\s*\(')


def keyname(k):
    """human name of an object or lock key"""
    return k[1] if k[0] == "g" else "%s.%s" % (k[1], k[2])


def short(k):
    return (k[1] if k[0] == "g" else k[2]).split(".")[-1]


Rec = collections.namedtuple("Rec", "func file line kind base locks node")


class FuncInfo:
    """One function of a directory."""
    __slots__ = ("f", "path", "an", "unclear", "calls", "reason", "quiet", "initlike", "fresh", "recs")


class Directory:
    """Everything learnt about one directory, and its candidate mutations."""

    def __init__(self, tree, files, table, macros, opts):
        self.tree, self.table, self.opts = tree, table, opts
        self.stats = collections.Counter()
        self.macros = macros
        self.lockfns = dict(table.fns)
        for name, (fn, params, tmpl) in macros.items():
            self.lockfns[name] = table.fns[fn]._replace(arg=0)
        self.srcs = {}
        for rel in files:
            with open(os.path.join(tree, rel), "rb") as fh:
                text = fh.read().decode("latin-1")
            if len(text) < 3000000:
                self.srcs[rel] = Source(rel, text)
        self.funcs = []
        self.by_name = collections.defaultdict(list)
        self.public = {}
        for s in self.srcs.values():
            for n, g in s.globals().items():
                if not g[2]:
                    self.public.setdefault(n, g)
        self._read()
        self._beliefs()

    # -- step 1: functions and accesses
    def env(self, src):
        e = Env()
        e.lockfns, e.macros = self.lockfns, self.macros
        e.globals = dict(self.public)
        e.globals.update(src.globals())
        return e

    def _read(self):
        locknames = set(self.lockfns)
        for rel, src in sorted(self.srcs.items()):
            env = self.env(src)
            for f in src.functions:
                fi = FuncInfo()
                fi.f, fi.path, fi.an, fi.unclear, fi.reason, fi.recs = f, rel, None, False, "", None
                body = src.code[f.brace:f.end]
                fi.calls = set(WORDCALL.findall(body))
                head = f.head
                fi.initlike = bool(INITLIKE.search(f.name) or INITSECTION.search(head))
                fi.quiet = fi.initlike or bool(QUIET.search(f.name))
                fi.fresh = set(FRESH.findall(body))
                self.funcs.append(fi)
                self.by_name[f.name].append(fi)
                self.stats["functions"] += 1
                if fi.calls & locknames:
                    self.stats["locking functions"] += 1
                    # with directives inside a function is never mutated; it still counts as evidence
                    # when its conditionals have no second arm
                    if not f.clear or (f.directive and src.has_else(f)):
                        fi.unclear, fi.reason = True, "directive"
                        continue
                    try:
                        fi.an = Analysis(f, self.table, env)
                    except (Unclear, IndexError, RecursionError) as e:
                        fi.unclear, fi.reason = True, str(e)
                        continue
                    self.stats["clear locking functions"] += 1

    def lockset(self, an, node):
        """[(key, base, mode, expr)] held at node"""
        nd = an.nodes[node]
        if not nd.states:
            return []
        st = next(iter(nd.states))
        return [(an.sites[k].key, an.sites[k].base, an.sites[k].mode, an.sites[k].expr) for k in st]

    @staticmethod
    def protects(lock, obj, base):
        key, lbase = lock[0], lock[1]
        if key is None:
            return False
        if key[0] == "g":
            return True
        return obj[0] == "f" and obj[1] == key[1] and base == lbase

    def _beliefs(self):
        self.acc = collections.defaultdict(list)          # object -> [Rec]
        self.called_with = collections.defaultdict(list)  # callee -> [set of lock keys]
        self.edges = []                                   # (a, b, file, func, line, exact)
        self.lockuse = collections.defaultdict(set)       # lock key -> {(file, func, line)}
        self.filelocks = collections.defaultdict(dict)    # file -> key -> (raw arg, cls)
        for fi in self.funcs:
            an = fi.an
            if not an:
                continue
            src = fi.f.src
            fi.recs = {}
            for i, nd in enumerate(an.nodes):
                if nd.locks is None:
                    continue
                locks = self.lockset(an, i)
                keys = frozenset(l[0] for l in locks if l[0])
                if nd.ev and nd.ev[0] != "rel":
                    s = an.sites[nd.ev[1]]
                    if s.key:
                        line = src.line(an.pos[s.a])
                        self.lockuse[s.key].add((fi.path, fi.f.name, line))
                        if s.argtok and s.role == "acq" and s.mode == "x":
                            a, b = s.argtok
                            raw = src.text[an.pos[a]:an.pos[b - 1] + len(an.t[b - 1])]
                            self.filelocks[fi.path].setdefault(s.key, (raw, s.cls, s.base))
                        for l in locks:
                            if l[0] and l[0] != s.key and not s.role == "try":
                                self.edges.append((l[0], s.key, fi.path, fi.f.name, line, len(locks) == 1))
                for c in an.callees(i):
                    self.called_with[c].append((keys, fi))
                out = []
                for key, base, kind, tok in an.accesses(i):
                    if base in fi.fresh:
                        continue
                    r = Rec(fi, fi.path, src.line(an.pos[tok]), kind, base, locks, i)
                    self.acc[key].append(r)
                    out.append((key, r))
                if out:
                    fi.recs[i] = out
        for fi in self.funcs:
            if not fi.an and not fi.unclear:
                for c in fi.calls:
                    if c in self.by_name:
                        self.called_with[c].append((None, fi))
        # objects of interest: seen under one lock in enough functions
        self.belief = {}                                   # obj -> lock -> {func: [Rec]}
        need = self.opts.min_evidence + 1
        for obj, recs in self.acc.items():
            per = collections.defaultdict(lambda: collections.defaultdict(list))
            for r in recs:
                for l in r.locks:
                    if self.protects(l, obj, r.base) and (l[2] == "x" or r.kind == "r"):
                        if l[0][1].split(".")[0] in self.table.exclude or short(l[0]) in self.table.exclude:
                            continue
                        per[l[0]][r.func].append(r)
            per = {k: v for k, v in per.items() if len(v) >= need}
            if per:
                self.belief[obj] = per
        self._outside()

    def _outside(self):
        """Functions that touch an object of interest without the lock."""
        self.outside = collections.defaultdict(set)        # obj -> {FuncInfo} no lock operation
        self.unknown = collections.Counter()               # field name -> accesses of unknown type
        self.taken = set()                                 # functions whose address is taken
        if not self.belief:
            return
        fields, globs = collections.defaultdict(list), collections.defaultdict(list)
        for o in self.belief:
            if o[0] == "f":
                fields[o[2]].append(o)
            else:
                globs[o[1].split(".")[0]].append(o)
        frx = re.compile(r'([A-Za-z_]\w*|[\])])\s*->\s*(%s)\b(?!\s*\()' % "|".join(map(re.escape, sorted(fields)))) if fields else None
        grx = re.compile(r'(?<![\w.>])(%s)\b' % "|".join(map(re.escape, sorted(globs)))) if globs else None
        taken = set()
        names = {fi.f.name for fi in self.funcs}
        for s in self.srcs.values():
            taken |= set(re.findall(r'\b([A-Za-z_]\w*)\b(?!\s*\()', s.code)) & names
        self.taken = taken
        for fi in self.funcs:
            if fi.an or fi.unclear:
                continue
            code = fi.f.src.code
            seen = set()
            if frx:
                for m in frx.finditer(code, fi.f.brace, fi.f.end):
                    base, fld = m.groups()
                    if (base, fld) in seen:
                        continue
                    seen.add((base, fld))
                    if base in fi.fresh:
                        continue
                    before = code[max(0, m.start() - 3):m.start()].rstrip()
                    ty = None
                    if not before.endswith(("->", ".")) and base not in (")", "]"):
                        d = re.search(r'\b(?:struct\s+)?(\w+)\s*(?:\*+\s*|\s)(?:const\s+)?%s\b\s*[,;=)]' % base,
                                      fi.f.params + ";" + code[fi.f.brace:fi.f.end])
                        if not d:      # in a list of declarators
                            d = re.search(r'\b(?:struct\s+)(\w+)\s+[^;(){}]*\*\s*%s\b' % base, code[fi.f.brace:fi.f.end])
                        ty = d.group(1) if d else None
                        if not ty:
                            g = fi.f.src.globals().get(base)
                            ty = g[0] if g else None
                    if ty in (None, "return", "void"):
                        self.unknown[fld] += 1
                    elif ("f", ty, fld) in self.belief:
                        self.outside["f", ty, fld].add(fi)
            if grx:
                for m in grx.finditer(code, fi.f.brace, fi.f.end):
                    for o in globs[m.group(1)]:
                        if o[2] in ("", fi.path):
                            tail = code[m.end():m.end() + 60]
                            if "." in o[1] and not re.match(r'\s*\.\s*%s\b' % re.escape(o[1].split(".")[1]), tail):
                                continue
                            self.outside[o].add(fi)

    def entry_locks(self, fi, depth=0, seen=()):
        """lock keys every known caller holds (None: no lock known, i.e. empty)"""
        name = fi.f.name
        if depth > 3 or name in seen or name in self.taken:
            return frozenset()
        calls = self.called_with.get(name)
        if not calls:
            return frozenset()
        out = None
        for keys, caller in calls:
            if caller is fi:
                continue
            k = keys if keys else frozenset()
            k = k | self.entry_locks(caller, depth + 1, seen + (name,))
            out = k if out is None else out & k
            if not out:
                return frozenset()
        return out or frozenset()

    def may_hold(self, fi, depth=4):
        """lock keys some known caller, up to depth calls away, may hold when fi is entered"""
        memo = self.__dict__.setdefault("_may", {})
        name = fi.f.name
        if name not in memo:
            out, seen, level = set(), {name}, {name}
            for _ in range(depth):
                up = set()
                for n in level:
                    for keys, caller in self.called_with.get(n, ()):
                        out.update(keys or ())
                        up.add(caller.f.name)
                level = up - seen
                seen |= up
            memo[name] = out
        return memo[name]

    def unclear_caller(self, fi, call):
        """does a function we do not understand call fi and take locks with the same call?"""
        return any(g.unclear and fi.f.name in g.calls and call in g.calls for g in self.funcs)

    def judge(self, obj, lock, target):
        """Evidence for 'lock protects obj' without function target: dict or None."""
        per = self.belief.get(obj, {}).get(lock)
        if not per:
            return None
        others = {f: r for f, r in per.items() if f is not target and f.f.name != target.f.name}
        if len(others) < self.opts.min_evidence:
            return None
        bad = set()
        for r in self.acc[obj]:
            if r.func in per and r.func is not target:
                # a function that sometimes holds the lock: accesses outside count too
                if not any(self.protects(l, obj, r.base) and l[0] == lock for l in r.locks) and not r.func.initlike:
                    bad.add(r.func)
            elif r.func is target:
                if not any(self.protects(l, obj, r.base) and l[0] == lock for l in r.locks):
                    bad.add(r.func)
            elif not r.func.initlike and not any(l[0] == lock for l in r.locks) \
                    and lock not in self.entry_locks(r.func):
                bad.add(r.func)
        for f in self.outside.get(obj, ()):
            if not f.initlike and lock not in self.entry_locks(f):
                bad.add(f)
        n = len(others)
        if len(bad) > int(n * self.opts.max_unprotected):
            return None
        if obj[0] == "f" and self.unknown[obj[2]] > n:
            return None
        # the other sides must be able to run against the target: not only quiet functions
        live = [f for f in others if not f.quiet]
        if len(live) < min(2, self.opts.min_evidence):
            return None
        wr = sum(any(r.kind != "r" for r in rs) for rs in others.values())
        best = sorted(live, key=lambda f: (not any(r.kind != "r" for r in others[f]),
                                           f.path != target.path, f.path, f.f.start))[0]
        r = sorted(others[best], key=lambda r: (r.kind == "r", r.line))[0]
        return {"functions": n, "writing": wr, "unprotected": len(bad),
                "site": "%s:%d" % (r.file, r.line), "site_function": best.f.name}

    # -- step 2: candidates
    def candidates(self):
        out = []
        names = collections.Counter((fi.path, fi.f.name) for fi in self.funcs)
        # helpers that give back a lock of their caller: their callers' sections are left alone
        releasing = {fi.f.name for fi in self.funcs if fi.unclear and fi.reason.startswith("unlock of")}
        releasing |= {fi.f.name for fi in self.funcs if fi.an and not fi.an.balanced}
        for fi in self.funcs:
            an = fi.an
            if not an or not an.balanced or fi.f.directive or fi.f.conditional or names[fi.path, fi.f.name] > 1:
                continue
            if fi.calls & releasing:
                continue
            body = re.sub(r'\s+', "", fi.f.src.code[fi.f.brace:fi.f.end])
            for sec in an.sections():
                k, rels, held, shared = sec
                s = an.sites[k]
                if s.role != "acq" or not s.plain or not rels or shared or s.key is None:
                    continue
                if short(s.key) in self.table.exclude:
                    continue
                uses = sum(1 for x in an.sites if x.expr == s.expr and x.argtok)
                mentions = len(re.findall(re.escape(s.expr) + r'(?!\w)', body))
                if s.cls != "irq" and mentions != uses:
                    continue               # the lock is handed to somebody else (wait, assert, …)
                out.extend(self._race_ops(fi, sec))
                out.extend(self._drop_unlock(fi, sec))
                out.extend(self._add_inversion(fi, sec))
                out.extend(stale_ops.drop_recheck(self, fi, sec, (keyname, short)))
                out.extend(stale_ops.split_section(self, fi, sec, (keyname, short)))
            out.extend(self._swap_order(fi))
        rnd = random.Random(self.opts.seed)
        per = collections.defaultdict(list)
        for c in out:
            per[c["operator"]].append(c)
        res = []
        for op in sorted(per):
            rnd.shuffle(per[op])
            per[op].sort(key=lambda c: -c["strength"])
            res += per[op][:self.opts.per_dir_limit]
        return res

    def _cand(self, fi, op, edits, line, **kw):
        src = fi.f.src
        c = {"operator": op, "file": fi.path, "function": fi.f.name, "line": line,
             "func_lines": [src.line(fi.f.start), src.line(fi.f.end - 1)],
             "edits": edits, "strength": 1}
        c.update(kw)
        return c

    def _span(self, an, stmt):
        a, b = an.pos[stmt.a], an.pos[stmt.b - 1] + 1
        return a, b

    def _blank(self, an, stmt):
        a, b = self._span(an, stmt)
        return [a, b, ";" + "\n" * an.fn.src.text.count("\n", a, b)]

    def _race_ops(self, fi, sec):
        an, src = fi.an, fi.f.src
        k, rels, held, _ = sec
        s = an.sites[k]
        if s.mode != "x" or fi.quiet or not all(an.sites[r].plain for r in rels):
            return
        code = src.code[fi.f.brace:fi.f.end]
        if WAITS.search(code):
            return
        if fi.f.name.endswith(("_locked", "_nolock", "_unlocked")):
            return
        # what the section touches, and what is evident
        objs, judged = {}, {}
        for i in held:
            nd = an.nodes[i]
            for obj, r in fi.recs.get(i, ()):
                if len(nd.locks) != 1 or not any(self.protects(l, obj, r.base) and l[0] == s.key for l in r.locks):
                    continue
                if obj not in judged:
                    judged[obj] = self.judge(obj, s.key, fi)
                if judged[obj]:
                    objs.setdefault(obj, []).append(r)
        if any(len(an.nodes[i].locks) != 1 for i in held if an.nodes[i].locks is not None):
            return                          # nested with another lock: who protects is unclear
        written = {o: rs for o, rs in objs.items() if any(r.kind != "r" for r in rs)}
        if not written or self.entry_locks(fi):
            return
        # recursive locks: a caller that holds the lock already makes the inner one redundant
        if s.key in self.may_hold(fi) or (self.table.recursive and self.unclear_caller(fi, s.call)):
            return

        def weight(o):
            rs = written[o]
            return (4 * any(r.kind == "m" for r in rs) + 2 * (len(rs) > 1) + min(judged[o]["functions"], 8) / 4.0
                    + (judged[o]["writing"] > 0) + (judged[o]["unprotected"] == 0))
        order = sorted(written, key=lambda o: (-weight(o), o))
        main = order[0]
        rs = written[main]
        nacc = sum(len(v) for v in objs.values())
        strong = any(r.kind == "m" for o in written for r in written[o]) or \
            (len(rs) > 1 and judged[main]["writing"]) or (nacc >= 3 and judged[main]["writing"])
        common = dict(object=keyname(main), object_name=short(main), objects=[keyname(o) for o in order],
                      lock=s.expr, lock_name=short(s.key), lock_key=keyname(s.key), lock_class=s.cls,
                      objkey=list(main), other_site=judged[main]["site"],
                      other_function=judged[main]["site_function"],
                      evidence={x: judged[main][x] for x in ("functions", "writing", "unprotected")})
        wline = min(r.line for r in rs if r.kind != "r")
        lnode, rnodes = an.nodes[s.node], [an.nodes[an.sites[r].node] for r in rels]
        span = [src.line(an.pos[lnode.stmt.a]), max(src.line(an.pos[n.stmt.a]) for n in rnodes)]
        if strong:
            edits = [self._blank(an, n.stmt) for n in [lnode] + rnodes]
            yield self._cand(fi, "drop-lock", edits, wline, lines=span, strength=weight(main),
                             note="%s no longer held around %d accesses of %s" % (s.expr, len(rs), short(main)),
                             **common)
            alt = self._alternative(fi, s, main)
            if alt and s.argtok and all(an.sites[r].argtok for r in rels):
                edits = []
                for x in [s] + [an.sites[r] for r in rels]:
                    a, b = x.argtok
                    p, q = an.pos[a], an.pos[b - 1] + len(an.t[b - 1])
                    edits.append([p, q, alt[0]])
                yield self._cand(fi, "wrong-lock", edits, wline, lines=span, strength=weight(main),
                                 wrong_lock=normal(alt[0]), wrong_lock_name=short(alt[1]),
                                 note="%s held instead of %s around %s" % (normal(alt[0]), s.expr, short(main)),
                                 **common)
        for e in self._early_unlock(fi, sec, written, judged):
            yield e

    def _alternative(self, fi, s, obj):
        """another lock of the same class, in scope, that does not protect obj"""
        code = re.sub(r'\s+', "", fi.f.src.code[fi.f.brace:fi.f.end])
        alts = []
        for key, (raw, cls, base) in sorted(self.filelocks[fi.path].items()):
            if cls != s.cls or key == s.key or key[0] != s.key[0] or short(key) in self.table.exclude:
                continue
            if key[0] == "f":
                if key[1] != s.key[1] or base is None:
                    continue
                raw = re.sub(r'\b%s\b(?=\s*->)' % re.escape(base), s.base, raw, count=1)
            elif not fi.f.src.visible(key[1].split(".")[0], fi.f):
                continue
            if normal(raw) in code or self.belief.get(obj, {}).get(key):
                continue
            if any(any(l[0] == key for l in r.locks) for r in self.acc[obj]):
                continue
            alts.append((raw, key))
        return alts[0] if alts else None

    def _early_unlock(self, fi, sec, written, judged):
        an, src = fi.an, fi.f.src
        k, rels, held, _ = sec
        s = an.sites[k]
        bynode = {an.nodes[i].stmt: i for i in held if an.nodes[i].kind == "expr"}
        for r in rels:
            u = an.nodes[an.sites[r].node].stmt
            if u.parent is None or u.parent.kind != "block":
                continue
            sib, j = u.parent.sub, u.idx - 1
            while j >= 0 and sib[j].kind == "expr" and sib[j] in bynode and not an.nodes[bynode[sib[j]]].ev:
                i = bynode[sib[j]]
                hits = [(o, x) for o, x in fi.recs.get(i, ()) if o in written and x.kind != "r" and judged[o]]
                if hits:
                    break
                j -= 1
            else:
                continue
            if j < 0 or sib[j].kind != "expr":
                continue
            w = sib[j]
            hits.sort(key=lambda h: (h[1].kind != "m", h[0]))
            obj, x = hits[0]
            inside = [i for i in held if i != bynode[w] and fi.recs.get(i)
                      and an.pos[an.nodes[i].a] < an.pos[w.a]]
            related = [1 for i in inside for o, y in fi.recs[i] if o in written]
            if not inside:
                continue
            ev = judged[obj]
            if x.kind == "w" and not (related and ev["writing"] >= 1):
                continue
            a, b = self._span(an, u)
            ws = an.pos[w.a]
            utext = src.text[a:b]
            if "\n" in utext:
                continue
            yield self._cand(
                fi, "early-unlock", [[ws, ws, utext + " "], self._blank(an, u)], src.line(ws),
                lines=[src.line(ws), src.line(a)],
                strength=4 * (x.kind == "m") + 2 * bool(related) + min(ev["functions"], 8) / 4.0,
                object=keyname(obj), object_name=short(obj), objects=[keyname(obj)], objkey=list(obj),
                lock=s.expr, lock_name=short(s.key), lock_key=keyname(s.key), lock_class=s.cls,
                other_site=ev["site"], other_function=ev["site_function"],
                evidence={y: ev[y] for y in ("functions", "writing", "unprotected")},
                note="write of %s after the unlock of %s" % (short(obj), s.expr))

    def _other_use(self, key, fi):
        uses = sorted(u for u in self.lockuse[key] if u[1] != fi.f.name)
        uses.sort(key=lambda u: u[0] != fi.path)
        return uses

    def _drop_unlock(self, fi, sec):
        an, src = fi.an, fi.f.src
        k, rels, held, _ = sec
        s = an.sites[k]
        others = self._other_use(s.key, fi)
        if len(rels) < 2 or len({u[1] for u in others}) < 2 or s.cls == "irq" or fi.initlike:
            return
        for r in rels:
            nd = an.nodes[an.sites[r].node]
            u = nd.stmt
            if not an.sites[r].plain or u.parent is None or u.parent.kind != "block":
                continue
            p = u.parent.parent
            if p is None or p.kind != "if":
                continue
            rest = u.parent.sub[u.idx + 1:]
            if not rest or rest[-1].kind != "return" or any(x.kind != "expr" for x in rest[:-1]):
                continue
            if any(WAITS.search(" ".join(an.t[x.a:x.b])) for x in rest[:-1]):
                continue
            ret = " ".join(an.t[rest[-1].ca + 1:rest[-1].cb])
            if not ERRRET.search(ret):
                continue
            others_live = [u2 for u2 in others if not QUIET.search(u2[1])] or others
            yield self._cand(
                fi, "drop-unlock", [self._blank(an, u)], src.line(an.pos[rest[-1].a]),
                lines=[src.line(an.pos[u.a]), src.line(an.pos[rest[-1].a])],
                strength=2 + 2 * bool(re.search(r'-\s*E[A-Z]', ret)),
                object=keyname(s.key), object_name=short(s.key), objects=[keyname(s.key)], objkey=list(s.key),
                lock=s.expr, lock_name=short(s.key), lock_key=keyname(s.key), lock_class=s.cls,
                other_site="%s:%d" % (others_live[0][0], others_live[0][2]), other_function=others_live[0][1],
                evidence={"functions": len({u2[1] for u2 in others})},
                note="%s still held at 'return %s'" % (s.expr, ret))

    def _swap_order(self, fi):
        an, src = fi.an, fi.f.src
        if fi.initlike:
            return
        for n, nd in enumerate(an.nodes):
            if not nd.ev or nd.ev[0] != "acq" or len(nd.states) != 1:
                continue
            st = next(iter(nd.states))
            if len(st) != 1:
                continue
            a, b = an.sites[st[0]], an.sites[nd.ev[1]]
            if not (a.plain and b.plain and a.key and b.key and a.key != b.key) or "irq" in (a.cls, b.cls):
                continue
            if (a.cls in locktables.SLEEPING) != (b.cls in locktables.SLEEPING) or "r" in (a.mode, b.mode):
                continue
            sa, sb = an.nodes[a.node].stmt, nd.stmt
            if sa.parent is not sb.parent or sa.parent is None or not 1 <= sb.idx - sa.idx <= 2:
                continue
            mid = sa.parent.sub[sa.idx + 1:sb.idx]
            if mid and (mid[0].kind != "expr" or b.base in an.t[mid[0].a:mid[0].b]):
                continue
            (p, q), (x, y) = self._span(an, sa), self._span(an, sb)
            ta, tb = src.text[p:q], src.text[x:y]
            if "\n" in ta or "\n" in tb:
                continue
            yield self._cand(
                fi, "swap-order", [[p, q, tb], [x, y, ta]], src.line(x), lines=[src.line(p), src.line(x)],
                a=list(a.key), b=list(b.key), objkey=list(a.key) + list(b.key),
                object="%s, %s" % (keyname(a.key), keyname(b.key)), object_name=short(b.key),
                objects=[keyname(a.key), keyname(b.key)], lock=a.expr, lock2=b.expr,
                lock_name=short(a.key), lock2_name=short(b.key), lock_key=keyname(a.key), lock_class=a.cls,
                note="takes %s before %s, the others the other way round" % (b.expr, a.expr))

    def _add_inversion(self, fi, sec):
        an, src = fi.an, fi.f.src
        k, rels, held, _ = sec
        s = an.sites[k]
        nd = an.nodes[s.node]
        if fi.initlike or s.cls == "irq" or nd.states != {()} or nd.stmt.parent is None or nd.stmt.parent.kind != "block":
            return
        code = re.sub(r'\s+', "", src.code[fi.f.brace:fi.f.end])
        for key, (raw, cls, _b) in sorted(self.filelocks[fi.path].items()):
            if key[0] != "g" or key == s.key or cls not in self.table.plain or short(key) in self.table.exclude:
                continue
            if cls in locktables.SLEEPING and s.cls not in locktables.SLEEPING:
                continue
            if re.search(r'(?<!\w)%s(?!\w)' % re.escape(normal(raw)), code):
                continue
            if key in self.may_hold(fi) or not src.visible(key[1].split(".")[0], fi.f):
                continue
            if key in self.closure(fi.f.name):
                continue
            at = an.pos[nd.stmt.b - 1] + 1
            acq, rel = self.table.plain[cls]
            use = {"pthread": ("mutex_lock" in fi.calls and "pthread_mutex_lock" not in fi.calls)}
            if use.get(cls):
                acq, rel = "mutex_lock", "mutex_unlock"
            elif cls == "pthread" and s.fn not in ("mutex_lock", "pthread_mutex_lock"):
                continue
            yield self._cand(
                fi, "add-inversion", [[at, at, " %s(%s); %s(%s);" % (acq, raw, rel, raw)]], src.line(at),
                lines=[src.line(at), src.line(at)], a=list(key), b=list(s.key), objkey=list(key) + list(s.key),
                object="%s, %s" % (keyname(key), keyname(s.key)), object_name=short(key),
                objects=[keyname(key), keyname(s.key)], lock=normal(raw), lock2=s.expr,
                lock_name=short(key), lock2_name=short(s.key), lock_key=keyname(key), lock_class=cls,
                note="takes %s with %s held, the others the other way round" % (normal(raw), s.expr))

    # -- what a call may acquire, within the directory
    def closure(self, name, depth=0, seen=None):
        if not hasattr(self, "_clo"):
            self._clo = {}
            self._direct = collections.defaultdict(set)
            for key, uses in self.lockuse.items():
                for u in uses:
                    self._direct[u[1]].add(key)
        if name in self._clo:
            return self._clo[name]
        seen = seen or set()
        if depth > 3 or name in seen:
            return self._direct.get(name, set())
        seen = seen | {name}
        out = set(self._direct.get(name, ()))
        for fi in self.by_name.get(name, ()):
            for c in fi.calls:
                if c in self.by_name and c != name:
                    out |= self.closure(c, depth + 1, seen)
        if depth == 0:
            self._clo[name] = out
        return out

    def indirect_edges(self):
        """(held, acquired) pairs through calls inside the directory"""
        out = set()
        for callee, calls in self.called_with.items():
            if callee not in self.by_name:
                continue
            held = set()
            for keys, _fi in calls:
                held |= set(keys or ())
            if held:
                for b in self.closure(callee):
                    out |= {(a, b) for a in held if a != b}
        return out
