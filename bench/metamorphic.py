#!/usr/bin/env python3
"""Does a finding depend on how the program is written? Verdict programs, each rewritten so that it means the same.

    metamorphic.py RACERX [--only NAME[,NAME]] [--show] [PROGRAM...]

Verdicts are comments on their lines and move with them, so a rewritten program is judged like the original (tests/verdict).
Printed by transformation: programs it changed, verdicts, and those that hold in the original and not in the rewritten one;
--show lists these. Only text is rewritten, by patterns that keep to what they surely understand; what they do not stays.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
IDENT = r"[A-Za-z_]\w*"


# text ---------------------------------------------------------------------------

def masked(text):
    """The text with comments, strings and directives blanked, so that patterns see code only; the same length."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group(0))
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", blank, text, flags=re.M)


def closing(code, at):
    """Where the bracket that opens at `at` closes; -1 when it does not."""
    pairs, depth = {"(": ")", "{": "}", "[": "]"}, 0
    opening, close = code[at], pairs[code[at]]
    for i in range(at, len(code)):
        depth += (code[i] == opening) - (code[i] == close)
        if not depth:
            return i
    return -1


def functions(text):
    """(start, name, body start, body end) of every function definition whose brace begins a body at file scope."""
    code, out, at = masked(text), [], 0
    for m in re.finditer(r"^(?!\s)[^;{}=]*?\b(%s)\s*\(([^;{}]*)\)\s*\{" % IDENT, code, flags=re.M):
        brace = m.end() - 1
        if m.start() < at or m.group(1) in ("if", "while", "for", "switch"):
            continue
        end = closing(code, brace)
        if end < 0:
            break
        out.append((m.start(), m.group(1), brace, end))
        at = end
    return out


def edit(text, edits):
    """Edits (start, end, replacement) that do not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def after_includes(text, addition):
    """Put in front of the first line of code, behind the options on the first lines and all directives there."""
    lines, last = text.split("\n"), 0
    code = masked(text).split("\n")
    for i, line in enumerate(lines):
        if code[i].strip():
            break
        last = i + 1
    return "\n".join(lines[:last] + [addition] + lines[last:])


def known_words():
    """Names that presets speak of: renaming these would change what the program means."""
    words = set()
    for path in glob.glob(os.path.join(ROOT, "annotators", "*.lua")):
        with open(path, errors="replace") as f:
            words.update(re.findall(IDENT, f.read()))
    return words


# transformations -----------------------------------------------------------------

def rename(text):
    """Other names for the program's own functions, globals, tags and members."""
    code, known = masked(text), known_words()
    own = {name for _s, name, _b, _e in functions(text)} - {"main"}
    own |= set(re.findall(r"\bstruct\s+(%s)\s*\{" % IDENT, code))
    own |= set(re.findall(r"^static\s[^;{}()=]*?\b(%s)\s*(?:\[[^\]]*\]\s*)?[;=]" % IDENT, code, flags=re.M))
    # A name's parts may mean something to a preset: init, probe, intr.
    parts = {"init", "exit", "probe", "remove", "open", "close", "intr", "irq", "handler", "attach", "detach", "start", "stop", "test"}
    own = {w for w in own if w not in known and not (set(w.lower().split("_")) & parts)}
    return edit(text, [(m.start(), m.end(), m.group(0) + "9") for m in re.finditer(IDENT, code) if m.group(0) in own])


def reflow(text):
    """More room: a line of its own for nothing, and other spaces."""
    code = masked(text)
    return edit(text, [(m.start(), m.end(), " " + m.group(0) + "\n\n") for m in re.finditer(r"\{", code)
                       if re.match(r"[ \t]*\n", text[m.end():])])


def if_not(text):
    """if (c) { a } else { b } becomes if (!(c)) { b } else { a }; without else it gets an empty arm."""
    code, edits, behind = masked(text), [], -1
    for m in re.finditer(r"\bif\s*\(", code):
        close = closing(code, m.end() - 1)
        rest = re.match(r"\s*\{", code[close + 1:])
        if m.start() < behind or close < 0 or not rest or re.search(r"else\s*$", code[:m.start()]):
            continue
        first = close + 1 + rest.end() - 1
        end = closing(code, first)
        other = re.match(r"\s*else\s*\{", code[end + 1:])
        if end < 0 or re.match(r"\s*else\b", code[end + 1:]) and not other:
            continue
        condition = text[m.end():close]
        if other:
            second = end + other.end()
            last = closing(code, second)
            edits.append((m.start(), last + 1, "if (!(%s)) %s else %s" % (condition, text[second:last + 1], text[first:end + 1])))
            behind = last
        else:
            edits.append((m.end(), close, "!(%s)" % condition))
            edits.append((first, first, "{ ; } else "))
    return edit(text, edits)


def no_braces(text):
    """if (c) a; becomes if (c) { a; }."""
    code, edits = masked(text), []
    for m in re.finditer(r"\b(?:if|while)\s*\(", code):
        close = closing(code, m.end() - 1)
        rest = re.match(r"\s*([^\s{;][^;{}]*;)", code[close + 1:])
        if close < 0 or not rest or re.match(r"(if|while|for|do|switch|else)\b", rest.group(1)) or "\n" in rest.group(1).strip():
            continue
        start = close + 1 + rest.start(1)
        edits += [(start, start, "{ "), (close + 1 + rest.end(), close + 1 + rest.end(), " }")]
    return edit(text, edits)


def arrows(text):
    """a->b becomes (*a).b for a plain a."""
    code = masked(text)
    return edit(text, [(m.start(), m.end(), "(*%s)." % m.group(1))
                       for m in re.finditer(r"(?<![\w.>)\]&])(%s)->" % IDENT, code)])


def increments(text):
    """x++; becomes x += 1; as a statement."""
    code = masked(text)
    return edit(text, [(m.start(2), m.end(2), " %s= 1" % m.group(2)[0])
                       for m in re.finditer(r"(?<=[;{}\n])\s*([\w.\[\]]+(?:->[\w.\[\]]+)*)(\+\+|--);", code)])


def lock_calls(text):
    """The program's lock and unlock calls that take one plain argument: {name: type of lock}."""
    types = {"pthread_mutex": "pthread_mutex_t", "pthread_spin": "pthread_spinlock_t", "mutex": "struct mutex", "spin": "spinlock_t"}
    found = {}
    for m in re.finditer(r"\b(pthread_mutex|pthread_spin|mutex|spin)_(un)?lock\s*\(", masked(text)):
        found[m.group(0).rstrip("( ")] = types[m.group(1)]
    return found


def replace_calls(text, made):
    code = masked(text)
    edits = [(m.start(), m.end(), made[m.group(0)]) for m in re.finditer(IDENT, code)
             if m.group(0) in made and re.match(r"\s*\(", code[m.end():])]
    return edit(text, edits)


def macro_locks(text):
    """Locks are taken and let go through macros of the program."""
    found = lock_calls(text)
    if not found or any(name == f[1] for name in found for f in functions(text)):
        return text
    text = replace_calls(text, {name: name.upper() + "_" for name in found})
    return after_includes(text, "\n".join("#define %s_(l) %s(l)" % (n.upper(), n) for n in sorted(found)))


def function_locks(text):
    """Locks are taken and let go through functions of the program."""
    found = lock_calls(text)
    if not found or any(name == f[1] for name in found for f in functions(text)):
        return text
    text = replace_calls(text, {name: "our_" + name for name in found})
    return after_includes(text, "\n".join("static void our_%s(%s *l) { %s(l); }" % (n, t, n) for n, t in sorted(found.items())))


def dead_code(text):
    """Functions that nobody calls, and a variable in every function that nobody reads."""
    text = edit(text, [(brace + 1, brace + 1, " int unused_here = 0; (void)unused_here;") for _s, _n, brace, _e in functions(text)])
    return text + "\nstatic int never_called_value;\nstatic int never_called(int a) { return a ? never_called_value + a : 0; }\n"


def other_thread(text):
    """A program starts one more thread, which has nothing to do with the rest."""
    code = masked(text)
    m = re.search(r"\bint main\([^)]*\)\s*\{", code)
    if not m or "pthread_create" not in code:
        return text
    start = code.rfind("\n", 0, m.start()) + 1
    return edit(text, [(start, start, "static int other_work;\nstatic void *other_main(void *p) { other_work++; return p; }\n"),
                       (m.end(), m.end(), " pthread_t other_one; pthread_create(&other_one, 0, other_main, 0); pthread_join(other_one, 0);")])


def one_block(text):
    """Every body in a block of its own, do { … } while (0)."""
    edits = []
    for _s, _n, brace, end in functions(text):
        edits += [(brace + 1, brace + 1, " {"), (end, end, "} ")]
    return edit(text, edits)


def while_for(text):
    """while (c) becomes for (; c;)."""
    code, edits = masked(text), []
    for m in re.finditer(r"\bwhile\s*\(", code):
        close = closing(code, m.end() - 1)
        if close < 0 or re.search(r"\}\s*$", code[:m.start()]) or re.match(r"\s*;", code[close + 1:]):
            continue
        edits += [(m.start(), m.end(), "for (; "), (close, close, ";")]
    return edit(text, edits)


def null_tests(text):
    """if (p) becomes if (p != 0), if (!p) becomes if (p == 0), for plain p."""
    code, place = masked(text), r"(%s(?:(?:->|\.)%s)*)" % (IDENT, IDENT)
    edits = [(m.start(1), m.end(1), m.group(1) + " != 0") for m in re.finditer(r"\bif\s*\(" + place + r"\)", code)]
    edits += [(m.start(1), m.end(2), m.group(2) + " == 0") for m in re.finditer(r"\bif\s*\((!)" + place + r"\)", code)]
    return edit(text, edits)


def reorder(text):
    """Functions in the opposite order, declared before the first."""
    found = functions(text)
    code = masked(text)
    if len(found) < 2 or "#" in text[found[0][0]:]:
        return text
    starts = [s for s, _n, _b, _e in found]
    pieces, between = [], text[:starts[0]]
    for i, (start, _name, _brace, end) in enumerate(found):
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop + 1
        pieces.append(text[start:stop])
        gap = text[stop:starts[i + 1] if i + 1 < len(found) else len(text)]
        if masked(gap).strip():
            return text  # declarations between functions: leave it
    declared = "".join(re.sub(r"\s+", " ", code[s:b]).strip() + ";\n" for s, n, b, _e in found if n != "main")
    return between + declared + "".join(reversed(pieces))


def alias(text):
    """A parameter's structure is used through a local copy of the pointer."""
    code, edits = masked(text), []
    for start, _name, brace, end in functions(text):
        m = re.search(r"\(\s*struct\s+(%s)\s*\*\s*(%s)\s*[,)]" % (IDENT, IDENT), code[start:brace])
        body = code[brace:end]
        if not m or "container_of" in body or re.search(r"\b%s\s*=[^=]" % m.group(2), body) or re.search(r"&\s*%s\b(?!\s*(->|\.|\[))" % m.group(2), body):
            continue
        edits.append((brace + 1, brace + 1, " struct %s *same_%s = %s;" % (m.group(1), m.group(2), m.group(2))))
        edits += [(brace + u.start(), brace + u.end(), "same_" + m.group(2))
                  for u in re.finditer(r"(?<![\w.>])%s\b" % m.group(2), body)]
    return edit(text, edits)


def single_exit(text):
    """return e; becomes result = e; goto out; in functions that return a number."""
    code, edits = masked(text), []
    for start, _name, brace, end in functions(text):
        head = code[start:brace]
        body = code[brace:end]
        returns = [m for m in re.finditer(r"\breturn\b([^;]*);", body)]
        if not re.match(r"(static\s+)?int\s+%s\s*\(" % IDENT, head) or len(returns) < 2 or re.search(r"\bguard|cleanup|__", body):
            continue
        edits.append((brace + 1, brace + 1, " int result_here;"))
        for m in returns:
            value = text[brace + m.start(1):brace + m.end(1)]
            edits.append((brace + m.start(), brace + m.end(), "{ result_here =%s; goto out_here; }" % value))
        edits.append((end, end, "out_here: return result_here; "))
    return edit(text, edits)


def scalars(code):
    """{last name of an lvalue: type} for members and globals that are plain numbers of one type throughout."""
    found = {}
    for m in re.finditer(r"\b(unsigned long|unsigned int|unsigned|long|int)\s+(%s(?:\s*,\s*%s)*)\s*(?:=[^;,]*)?;" % (IDENT, IDENT), code):
        for name in re.findall(IDENT, m.group(2)):
            found.setdefault(name, set()).add(m.group(1))
    return {name: types.pop() for name, types in found.items() if len(types) == 1}


def outlined(text):
    """x->n++; becomes a call of a helper that is given the address."""
    code, edits, used = masked(text), [], set()
    known = scalars(code)
    for m in re.finditer(r"(?<=[;{}\n])\s*((?:%s(?:->|\.))*(%s))\+\+;" % (IDENT, IDENT), code):
        kind = known.get(m.group(2))
        if kind:
            used.add(kind)
            edits.append((m.start(1), m.end(), "step_%s(&%s);" % (kind.replace(" ", "_"), m.group(1))))
    text = edit(text, edits)
    return after_includes(text, "\n".join("static void step_%s(%s *n) { ++*n; }" % (k.replace(" ", "_"), k) for k in sorted(used))) if used else text


def outlined_guarded(text):
    """Bodies of functions that take a pointer to a structure move into a second function that the first calls."""
    edits, code = [], masked(text)
    for start, name, brace, end in functions(text):
        head = code[start:brace]
        m = re.match(r"static\s+void\s+%s\s*\(([^()]*)\)\s*$" % IDENT, head)
        if not m or name == "main" or "\n" in head.strip():
            continue
        names = [re.findall(IDENT, part)[-1] for part in m.group(1).split(",") if part.strip() not in ("", "void")]
        inner = head.replace(name, "inner_" + name, 1).strip()
        edits.append((start, brace, inner + " "))
        edits.append((end + 1, end + 1, "\n" + head.strip() + " { inner_%s(%s); }\n" % (name, ", ".join(names))))
    return edit(text, edits)


def inlined(text):
    """A static helper that is called once, as a statement, and returns nothing stands in its caller's place."""
    code = masked(text)
    for start, name, brace, end in functions(text):
        head, body = code[start:brace], code[brace + 1:end]
        m = re.match(r"static\s+(?:inline\s+)?void\s+%s\s*\(([^()]*)\)\s*$" % IDENT, head)
        uses = [u for u in re.finditer(r"\b%s\b" % name, code) if not start <= u.start() < end]
        if not m or "#" in text[start:end] or re.search(r"\breturn\b|\bgoto\b|^\s*%s\s*:" % IDENT, body, flags=re.M) or len(uses) != 1:
            continue
        call = re.match(r"%s\s*\(([^()]*)\)\s*;" % name, code[uses[0].start():])
        if not call or not re.search(r"[;{}]\s*$", code[:uses[0].start()]) or uses[0].start() < start:
            continue
        parameters = [p.strip() for p in m.group(1).split(",") if p.strip() not in ("", "void")]
        at = uses[0].start()
        given = [a.strip() for a in text[at + call.start(1):at + call.end(1)].split(",") if a.strip()]
        if len(parameters) != len(given) or any("[" in p or "..." in p or "(" in p for p in parameters):
            continue
        inner = text[brace + 1:end]
        for p in parameters:
            word = re.findall(IDENT, p)[-1]
            inner_code = masked(inner)
            inner = edit(inner, [(u.start(), u.end(), word + "_in") for u in re.finditer(r"(?<![\w.>])%s\b" % word, inner_code)])
        made = "".join(" %s_in = %s;" % (p, g) for p, g in zip(parameters, given))
        stop = text.find("\n", end) + 1 or len(text)
        return edit(text, [(at, at + call.end(), "{%s%s}" % (made, inner)), (start, stop, "")])
    return text


def top_level(text):
    """Declarations in front of the first function, each with what stands before it; None when one is not understood."""
    code, items, start, depth = masked(text), [], 0, 0
    for i, c in enumerate(code):
        depth += (c in "{([") - (c in "})]")
        if c == ";" and not depth:
            items.append((start, i + 1))
            start = i + 1
    return None if code[start:].strip() else items


def split(text):
    """Every second function, and nothing else, in a file of its own; types and declarations in a header."""
    found, code = functions(text), masked(text)
    if len(found) < 3 or not any(n == "main" for _s, n, _b, _e in found) or "#" in text[found[0][0]:] or "racerx" in text:
        return text
    front = text[:found[0][0]]
    items = top_level(front)
    if items is None:
        return text
    header, defined, last = "", "", 0
    for start, stop in items:
        item, plain = front[start:stop], re.sub(r"\s+", " ", masked(front[start:stop])).strip()
        m = re.match(r"(?:static )?((?:const |volatile |_Atomic |unsigned |struct )*%s[ *]+)((?:%s(?:\[[^\]]*\])*)(?: ?= ?.*)?);$" % (IDENT, IDENT), plain)
        if re.match(r"(typedef|extern|enum)\b", plain) or re.match(r"(struct|union) %s( ?\{.*\})? ?;$" % IDENT, plain):
            header += item
        elif m and "," not in re.sub(r"\{.*\}|\(.*\)", "", plain):
            shown = masked(item)
            before = len(item) - len(shown.lstrip())
            header += item[:before] if "#" in item[:before] else ""
            header += "\nextern %s%s;" % (m.group(1), re.sub(r" ?=.*", "", m.group(2)))
            defined += re.sub(r"\bstatic ", "", item[before:], count=1) + "\n"
        else:
            return text
        last = stop
    header += "\n"
    parts = ["", ""]
    for i, (start, name, brace, end) in enumerate(found):
        stop = text.find("\n", end) + 1 or len(text)
        gap = text[stop:found[i + 1][0] if i + 1 < len(found) else len(text)]
        if masked(gap).strip():
            return text
        parts[i % 2] += re.sub(r"^static (inline )?", "", text[start:stop]) + gap
        if name != "main":
            header += re.sub(r"^static (inline )?", "", re.sub(r"\s+", " ", code[start:brace]).strip()) + ";\n"
    return {"part.h": header, "part_a.c": '#include "part.h"\n' + defined + parts[0], "part_b.c": '#include "part.h"\n' + parts[1]}


def file_order(text):
    """Split, and the second file is read first."""
    files = split(text)
    return text if files is text else {"part.h": files["part.h"], "zz.c": files["part_a.c"], "aa.c": files["part_b.c"]}


def joined(text):
    """One file includes the other two of a split program: one unit again, in pieces."""
    files = split(text)
    return text if files is text else {"part.h": files["part.h"], "all.c": files["part_a.c"] + re.sub(r"^#include.*\n", "", files["part_b.c"])}


ALL = [rename, reflow, if_not, no_braces, arrows, increments, macro_locks, function_locks, dead_code, other_thread, one_block,
       while_for, null_tests, reorder, alias, single_exit, outlined, outlined_guarded, inlined, split, file_order, joined]


# running ------------------------------------------------------------------------

def judge(racerx, paths):
    """{program: [(what, ok)]} in order, as tests/verdict says it. Directories are one program each."""
    out = {}
    for path in [p for p in paths if os.path.isdir(p)]:
        out[os.path.basename(path) + ".c"] = [row for rows in judge_files(racerx, [path]).values() for row in rows]
    out.update(judge_files(racerx, [p for p in paths if not os.path.isdir(p)]))
    return out


def judge_files(racerx, paths):
    out = {}
    for i in range(0, len(paths), 100):
        said = subprocess.run([os.path.join(ROOT, "tests", "verdict")] + paths[i:i + 100], capture_output=True, text=True,
                              env=dict(os.environ, RACERX=racerx)).stdout
        for line in said.splitlines():
            m = re.match(r"(ok|not ok) ([^:]+)(?::\d+)?: (.*)", line)
            if m:
                what = re.sub(r" (has a finding|was not found|is one finding|is no single finding)$", "", m.group(3))
                out.setdefault(m.group(2), []).append((what, m.group(1) == "ok", line))
    return out


def failures(rows):
    """Verdicts that fail, as words with counts: what is compared between two texts of one program."""
    count = {}
    for what, ok, line in rows:
        if not ok:
            key = re.sub(r"#\d+ in .*", "", what)
            count.setdefault(key, []).append(line)
    return count


def programs(given):
    if given:
        return given
    folders = ["tests/races/posix", "tests/races/kernel", "tests/races/papers", "tests/stale/*"] + ["tests/deadlocks/*"]
    return sorted(p for f in folders for p in glob.glob(os.path.join(ROOT, f, "*.c")))


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("racerx")
    words.add_argument("programs", nargs="*")
    words.add_argument("--only", default="")
    words.add_argument("--show", action="store_true")
    words.add_argument("--keep", help="leave the rewritten programs in this directory")
    said = words.parse_args()
    racerx = os.path.abspath(said.racerx)
    paths = [os.path.abspath(p) for p in programs(said.programs)]
    texts = {os.path.basename(p): open(p, errors="replace").read() for p in paths}
    before = judge(racerx, paths)
    print("%-16s %9s %9s %9s" % ("rewritten", "programs", "verdicts", "changed"))
    worst = 0
    for change in ALL:
        if said.only and change.__name__ not in said.only.split(","):
            continue
        with tempfile.TemporaryDirectory() as work:
            work = said.keep and os.path.join(said.keep, change.__name__) or work
            os.makedirs(work, exist_ok=True)
            changed = []
            for name, text in sorted(texts.items()):
                new = change(text)
                if isinstance(new, dict):
                    changed.append(os.path.join(work, name[:-2]))
                    os.makedirs(changed[-1], exist_ok=True)
                    for part, said_there in new.items():
                        with open(os.path.join(changed[-1], part), "w") as f:
                            f.write(said_there)
                elif new != text:
                    changed.append(os.path.join(work, name))
                    with open(changed[-1], "w") as f:
                        f.write(new)
            after = judge(racerx, changed)
        lost, lines = 0, []
        for name in sorted(after):
            old, new = failures(before.get(name, [])), failures(after[name])
            more = [line for key in new for line in new[key][len(old.get(key, [])):]]
            lost += len(more)
            lines += more
        verdicts = sum(len(rows) for rows in after.values())
        print("%-16s %9d %9d %9d" % (change.__name__, len(changed), verdicts, lost), flush=True)
        worst += lost
        if said.show:
            for line in lines:
                print("    " + line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
