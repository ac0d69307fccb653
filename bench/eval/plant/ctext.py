"""A pragmatic reader of unpreprocessed C: functions and statements.

It never guesses: a function it does not clearly understand (directives inside, macros it cannot
see through, conditional locking, unbalanced braces) is reported as unclear and left alone.
All offsets are offsets into the file's own bytes (decoded as latin-1), lines are 1-based.
"""
import bisect
import re

_STRIP = re.compile(
    r'//(?:[^\n\\]|\\.)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\[^\n]{1,5}?|[^\'\\\n]{1,4})\'', re.S)
_DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.)*', re.M | re.S)
_NOTNL = re.compile(r'[^\n]')
TOKEN = re.compile(
    r'[A-Za-z_]\w*|\d[\w.]*|"[^"]*"|\'[^\']*\'|->|\+\+|--|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\.\.\.|\S')
_BRACE = re.compile(r'[{};]')
IDENT = re.compile(r'[A-Za-z_]\w*\Z')
KEYWORDS = {"if", "else", "while", "for", "do", "switch", "case", "default", "return", "goto",
            "break", "continue", "sizeof"}
TYPEWORDS = {"struct", "union", "enum", "const", "volatile", "unsigned", "signed", "static",
             "register", "extern", "int", "char", "long", "short", "void", "float", "double"}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
NORETURN = {"panic", "BUG", "do_exit", "abort", "exit", "_exit"}
LOOPMACRO = re.compile(r'for_?_?each|FOREACH|_for_', re.I)


class Unclear(Exception):
    """The function is not understood with certainty."""


def strip(text):
    """Comments, string contents and directives blanked, same length and lines."""
    def sub(m):
        s = m.group()
        if s[0] == '"':
            return '"' + _NOTNL.sub(" ", s[1:-1]) + '"'
        if s[0] == "'":
            return "'" + " " * (len(s) - 2) + "'"
        return _NOTNL.sub(" ", s)
    out = _STRIP.sub(sub, text)
    directives = []

    def dsub(m):
        directives.append((m.start(), m.group()))
        return _NOTNL.sub(" ", m.group())
    return _DIRECTIVE.sub(dsub, out), directives


class Function:
    __slots__ = ("name", "start", "brace", "end", "params", "head", "clear", "static", "src",
                 "directive", "conditional")

    def __repr__(self):
        return "<%s>" % self.name


_KNR_DECLS = re.compile(r'[\w\s*,\[\];]*;\s*\Z')        # K&R: between ')' and '{'
_KNR_NAME = re.compile(r'(\w+)\s*\([\w\s,]*\Z')
_NAME = re.compile(r'([A-Za-z_]\w*)\s*\(')
_NOTNAME = {"__attribute__", "__acquires", "__releases", "__must_hold", "__printf", "__section",
            "__declspec", "__aligned"}


class Source:
    """One file: stripped text, functions, file-scope variables."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.code, self.directives = strip(text)
        self._nl = [m.start() for m in re.finditer("\n", text)]
        self._dpos = [p for p, _ in self.directives]
        self._cond_spans()
        self.functions = []
        self._find_functions()
        self._globals = None

    def line(self, pos):
        return bisect.bisect_left(self._nl, pos) + 1

    def _cond_spans(self):
        """Spans under #if (anything but a whole-file guard)."""
        stack, spans = [], []
        for pos, d in self.directives:
            m = re.match(r'[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b', d)
            if not m:
                continue
            if m.group(1) == "endif":
                if stack:
                    s = stack.pop()
                    if not stack:
                        spans.append((s, pos))
            else:
                stack.append(pos)
        n = len(self.text)
        self.cond = [(a, b) for a, b in spans if not (a < n * 0.1 and b > n * 0.95)]

    def _in_cond(self, a, b):
        return any(s < b and e > a for s, e in self.cond)

    def visible(self, name, f):
        """is file-scope name surely declared before function f?  Yes when it occurs above f outside
        every function, or (declared in a header) inside an earlier function without a local of that name."""
        rx = re.compile(r'(?<![\w.>])%s\b' % re.escape(name))
        local = re.compile(r'(?:\bstatic\b[^;{}]*|\bD(?:ECLARE|EFINE)_\w+\s*\(\s*|\b\w+_t\s+)\b%s\b' % re.escape(name))
        last, inside = 0, False
        for g in self.functions:
            if g.start > f.start:
                break
            if rx.search(self.code, last, g.start):
                return True
            if g is not f and rx.search(self.code, g.brace, g.end) and not local.search(self.code, g.brace, g.end):
                inside = True
            last = g.end
        return inside and name not in self.globals()

    def has_else(self, f):
        """does a conditional inside f have a second arm?"""
        i = bisect.bisect_left(self._dpos, f.start)
        return any(p < f.end and re.match(r'[ \t]*#[ \t]*(else|elif|define|include)', d)
                   for p, d in self.directives[i:i + 200])

    def _find_functions(self):
        code, depth, open_, prev_end, top_end, ok = self.code, 0, None, 0, 0, True
        for m in _BRACE.finditer(code):
            c, p = m.group(), m.start()
            if c == ";":
                if depth == 0:
                    prev_end = p + 1
                continue
            col0 = p == 0 or code[p - 1] == "\n"
            if c == "{":
                if col0 and depth:          # lost: an arm of #if unbalanced the text
                    depth, ok = 0, True
                if depth == 0:
                    open_, ok = p, True
                depth += 1
            else:
                if depth == 0:
                    prev_end = top_end = p + 1
                    continue
                depth -= 1
                if col0 and depth:
                    depth, ok = 0, False
                if depth == 0:
                    f = self._header(prev_end, top_end, open_)
                    if f:
                        f.end, f.clear = p + 1, ok
                        i = bisect.bisect_left(self._dpos, f.start)
                        f.directive = i < len(self._dpos) and self._dpos[i] < f.end
                        f.conditional = self._in_cond(f.start, f.end)
                        f.src = self
                        self.functions.append(f)
                    prev_end = top_end = p + 1

    def _header(self, prev_end, top_end, brace):
        head = self.code[prev_end:brace]
        hs = head.rstrip()
        f = Function()
        f.brace = brace
        if hs.endswith(")") or re.search(r'\)\s*__\w+(\(\w*\))?\Z', hs):
            for m in _NAME.finditer(head):
                if m.group(1) not in _NOTNAME and m.group(1) not in TYPEWORDS:
                    break
            else:
                return None
            f.name, f.head = m.group(1), head[:m.start()]
            q, d = m.end() - 1, 0
            for q in range(m.end() - 1, len(head)):
                d += (head[q] == "(") - (head[q] == ")")
                if d == 0:
                    break
            f.params = head[m.end():q]
            if "=" in f.head or f.name in KEYWORDS:
                return None
            f.start = prev_end + len(head) - len(head.lstrip())
        elif not hs:
            lo = max(top_end, brace - 2000)
            close = self.code.rfind(")", lo, brace)
            if close < 0 or not _KNR_DECLS.match(self.code, close + 1, brace):
                return None
            open_ = self.code.rfind("(", lo, close)
            k = _KNR_NAME.search(self.code, max(lo, open_ - 60), close) if open_ >= 0 else None
            if not k:
                return None
            f.name, f.params = k.group(1), self.code[close + 1:brace].replace(";", ",")
            f.head = self.code[max(top_end, k.start() - 80):k.start()]
            f.head = f.head[f.head.rfind(";") + 1:]
            f.start = k.start()
        else:
            return None
        f.static = bool(re.search(r'\bstatic\b', f.head))
        return f

    _GLOBAL = re.compile(
        r'^(?P<st>static\s+)?(?:(?:volatile|unsigned|signed|__read_mostly|long|register)\s+)*'
        r'(?P<ty>(?:struct|union|enum)\s+\w+|[A-Za-z_]\w*)\s+(?P<p>[*\s]*)(?P<n>[A-Za-z_]\w*)'
        r'\s*(?:\[[^\]\n]*\]\s*)*(?:__\w+\s*)*(?P<e>[=;,])', re.M)
    _DEFMACRO = re.compile(
        r'^(?P<st>static\s+)?(?P<m>(?:DEFINE_|DECLARE_)?(?:RAW_)?(?:SPINLOCK|RWLOCK|MUTEX|RWSEM|SEMAPHORE'
        r'|LIST_HEAD|HLIST_HEAD|IDR|IDA)|DECLARE_MUTEX)\s*\(\s*(?P<n>\w+)', re.M)

    def globals(self):
        """name -> (type, pointer?, static?) for variables at file scope."""
        if self._globals is None:
            g, out, last = {}, [], 0
            for f in self.functions:
                out.append(self.code[last:f.start])
                last = f.end
            out.append(self.code[last:])
            top = "\n".join(out)
            for m in self._GLOBAL.finditer(top):
                if m.group("ty") in KEYWORDS or m.group("ty") in ("typedef", "extern", "const", "struct"):
                    continue
                ty = re.sub(r'^(struct|union|enum)\s+', "", m.group("ty"))
                g[m.group("n")] = (ty, "*" in m.group("p"), bool(m.group("st")))
                if m.group("e") == ",":
                    rest = top[m.end():m.end() + 300].split(";")[0]
                    for x in re.findall(r'(?:^|,)\s*(\**)\s*(\w+)\s*(?:\[[^\]]*\])?\s*(?=,|\Z|=)', rest):
                        g[x[1]] = (ty, bool(x[0]), bool(m.group("st")))
            for m in self._DEFMACRO.finditer(top):
                g[m.group("n")] = (m.group("m"), False, bool(m.group("st")))
            self._globals = g
        return self._globals


# ---------------------------------------------------------------- statements

class Stmt:
    __slots__ = ("kind", "a", "b", "ca", "cb", "sub", "parent", "idx", "name", "els")

    def __init__(self, kind, a):
        self.kind, self.a, self.b = kind, a, a
        self.ca = self.cb = a          # condition / interesting token range
        self.sub, self.parent, self.idx, self.name, self.els = [], None, 0, None, None


class Parser:
    def __init__(self, toks):
        self.t = toks
        self.n = len(toks)

    def match(self, i):
        """index of the token closing the bracket at i"""
        close = {"(": ")", "[": "]", "{": "}"}
        st = []
        for j in range(i, self.n):
            x = self.t[j]
            if x in close:
                st.append(close[x])
            elif x in (")", "]", "}"):
                if not st or st.pop() != x:
                    raise Unclear("brackets")
                if not st:
                    return j
        raise Unclear("brackets")

    def block(self, i):
        """i at '{'"""
        s = Stmt("block", i)
        e = self.match(i)
        j = i + 1
        while j < e:
            c, j = self.stmt(j)
            c.parent, c.idx = s, len(s.sub)
            s.sub.append(c)
        if j != e:
            raise Unclear("block end")
        s.b = e + 1
        return s, e + 1

    def paren(self, s, i):
        if i >= self.n or self.t[i] != "(":
            raise Unclear("paren")
        e = self.match(i)
        s.ca, s.cb = i + 1, e
        return e + 1

    def child(self, s, i):
        c, j = self.stmt(i)
        c.parent, c.idx = s, len(s.sub)
        s.sub.append(c)
        return j

    def stmt(self, i):
        if i >= self.n:
            raise Unclear("eof")
        t = self.t
        x = t[i]
        nx = t[i + 1] if i + 1 < self.n else ""
        if x == "{":
            return self.block(i)
        if x == ";":
            s = Stmt("empty", i)
            s.b = i + 1
            return s, i + 1
        if x in ("if", "while", "for", "switch"):
            s = Stmt(x, i)
            j = self.child(s, self.paren(s, i + 1))
            if x == "if" and j < self.n and t[j] == "else":
                j = self.child(s, j + 1)
            s.b = j
            return s, j
        if x == "do":
            s = Stmt("do", i)
            j = self.child(s, i + 1)
            if t[j:j + 1] != ["while"]:
                raise Unclear("do")
            j = self.paren(s, j + 1)
            if t[j:j + 1] != [";"]:
                raise Unclear("do")
            s.b = j + 1
            return s, j + 1
        if x in ("case", "default"):
            s = Stmt(x, i)
            j, q = i + 1, 0
            while t[j] != ":" or q:
                q += (t[j] == "?") - (t[j] == ":")
                if t[j] in ("{", "}", ";"):
                    raise Unclear("case")
                j += 1
            s.b = j + 1
            return s, j + 1
        if x == "else":
            raise Unclear("else")
        if nx == ":" and IDENT.match(x):
            s = Stmt("label", i)
            s.name, s.b = x, i + 2
            return s, i + 2
        if x in ("break", "continue"):
            if nx != ";":
                raise Unclear(x)
            s = Stmt(x, i)
            s.b = i + 2
            return s, i + 2
        if x == "goto":
            if t[i + 2] != ";":
                raise Unclear("computed goto")
            s = Stmt("goto", i)
            s.name, s.b = nx, i + 3
            return s, i + 3
        if nx == "(" and IDENT.match(x) and x not in KEYWORDS:
            e = self.match(i + 1)
            after = t[e + 1] if e + 1 < self.n else ""
            if after == "{" or (LOOPMACRO.search(x) and after != ";"):
                s = Stmt("loop", i)
                s.ca, s.cb, s.name = i, e + 1, x
                s.b = self.child(s, e + 1)
                return s, s.b
            if IDENT.match(after) and not x.startswith("__attribute"):
                raise Unclear("macro statement " + x)
        s = Stmt("return" if x == "return" else "expr", i)
        j = i
        while True:
            if j >= self.n:
                raise Unclear("eof")
            y = t[j]
            if y == ";":
                break
            if y in ("(", "[", "{"):
                j = self.match(j) + 1
                continue
            if y in (")", "]", "}") or (y in KEYWORDS and y != "sizeof" and j > i):
                raise Unclear("expression")
            j += 1
        s.ca, s.cb, s.b = i, j, j + 1
        return s, j + 1
