# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""annotate.py IN OUT [COMPILER ARGUMENT...]: OUT is IN with `#pragma gpuprof region` before every function definition and
every top-level statement of a function's body.

With a compiler and its arguments (the plugin's among them), OUT is parsed by it, and pragmas are taken out again where
the plugin says that none may stand: before declarations, case labels, in coroutines and constexpr functions, and where a
jump would enter the region. Any other error of the plugin's ends the program with 1. Prints how many pragmas are in OUT.
"""
import re
import subprocess
import sys

PRAGMA = "#pragma gpuprof region"
TOKEN = re.compile(
    r'R"([^()\\\s]*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r"|//(?:\\\n|[^\n])*|/\*(?:.|\n)*?\*/|[A-Za-z_]\w*|\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*|::|->|\S"
)
DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w*)((?:\\\n|/\*(?:.|\n)*?\*/|[^\n])*)")
RECORDS = {"class", "struct", "union", "enum"}
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
# The plugin's reasons why a pragma cannot stand where it is.
REFUSED = re.compile("cannot hold a declaration|cannot stand before a 'case'|cannot be used in a coroutine"
                     "|is ignored in a constexpr|jumps? into the statement|computed 'goto'|the pragma is here")


def tokens_of(text):
    """(position, text) of each token that is no comment and in no second branch of an #if."""
    tokens, branches, position = [], [], 0
    while position < len(text):
        if text[position] in " \t\n\r\f" or text.startswith("\\\n", position):
            position += 1
            continue
        line_start = text.rfind("\n", 0, position) + 1
        if text[position] == "#" and not text[line_start:position].strip():
            match = DIRECTIVE.match(text, position)
            word, rest = match.group(1), match.group(2).strip()
            if word in ("if", "ifdef", "ifndef"):
                branches.append(word == "if" and re.fullmatch(r"0\b.*", rest) is not None)
            elif word in ("else", "elif") and branches:
                branches[-1] = not branches[-1]
            elif word == "endif" and branches:
                branches.pop()
            position = match.end()
            continue
        match = TOKEN.match(text, position)
        if not any(branches) and not match.group().startswith(("//", "/*")):
            tokens.append((position, match.group()))
        position = match.end()
    return tokens


class Annotator:
    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.places = []

    def word(self, i):
        return self.tokens[i][1] if i < len(self.tokens) else ""

    def mark(self, i):
        if i < len(self.tokens):
            self.places.append(self.tokens[i][0])

    def closing(self, i):
        """The index after the bracket that closes the one at i."""
        depth = 0
        while i < len(self.tokens):
            depth += (self.word(i) in OPEN) - (self.word(i) in CLOSE)
            i += 1
            if depth == 0:
                break
        return i

    def after_angles(self, i):
        """The index after the template parameters that begin at i with <."""
        depth = 0
        while i < len(self.tokens):
            if self.word(i) in OPEN:
                i = self.closing(i)
                continue
            depth += (self.word(i) == "<") - (self.word(i) == ">")
            i += 1
            if depth == 0:
                break
        return i

    # ---- Declarations ----

    def declarations(self, i):
        """Reads declarations up to the brace that closes their scope, or to the end."""
        while i < len(self.tokens) and self.word(i) != "}":
            i = self.declaration(i)
        return i + 1

    def declaration(self, i):
        if self.word(i) == ";":
            return i + 1
        if self.word(i) in ("public", "private", "protected") and self.word(i + 1) == ":":
            return i + 2
        begin, seen, initialisers = i, [], False
        while self.word(i) == "template" and self.word(i + 1) == "<":
            i = self.after_angles(i + 1)
        while i < len(self.tokens):
            word = self.word(i)
            if word == ";":
                return i + 1
            if word == "}":
                return i
            if word == "{":
                if "namespace" in seen or seen == ["extern", '"C"']:
                    return self.declarations(i + 1)
                record = [k for k, w in enumerate(seen) if w in RECORDS]
                if record and "()" not in seen[record[0]:]:
                    i = self.closing(i) if "enum" in seen else self.declarations(i + 1)
                    seen.append("{}")
                    continue
                if "()" not in seen or "=" in seen:
                    i = self.closing(i)  # a variable's value
                    continue
                if initialisers and seen[-1] not in ("()", "{}"):
                    i = self.closing(i)  # a member's value
                    seen.append("{}")
                    continue
                self.mark(begin)
                return self.body(i)
            if word in ("__align__", "alignas", "__attribute__", "__launch_bounds__", "decltype", "noexcept"):
                i = self.closing(i + 1) if self.word(i + 1) == "(" else i + 1
                continue
            if word == "operator":  # its name may be = or ()
                i += 2 if self.word(i + 1) not in OPEN else 3
                while self.word(i) and self.word(i) != "(":
                    i += 1
                continue
            if word in OPEN:
                seen.append(word + OPEN[word])
                i = self.closing(i)
                continue
            initialisers |= word == ":" and "()" in seen
            seen.append(word)
            i += 1
        return i

    # ---- Statements ----

    def body(self, i):
        """Marks the statements of the block that begins at i."""
        i += 1
        while i < len(self.tokens) and self.word(i) != "}":
            i = self.after_labels(i)
            if self.word(i) == "}":
                break
            self.mark(i)
            i = self.statement(i)
        return i + 1

    def after_labels(self, i):
        while True:
            if self.word(i) == "case":
                while self.word(i) != ":":
                    i = self.closing(i) if self.word(i) in OPEN else i + 1
                i += 1
            elif re.fullmatch(r"[A-Za-z_]\w*", self.word(i)) and self.word(i + 1) == ":":
                i += 2
            else:
                return i

    def statement(self, i):
        """The index after the statement that begins at i."""
        i = self.after_labels(i)
        word = self.word(i)
        if word == "{":
            return self.closing(i)
        if word in ("if", "for", "while", "switch"):
            while self.word(i) != "(":
                i += 1
            i = self.statement(self.closing(i))
            return self.statement(i + 1) if word == "if" and self.word(i) == "else" else i
        if word == "do":
            i = self.statement(i + 1)
        elif word == "try":
            i = self.closing(i + 1)
            while self.word(i) == "catch":
                i = self.closing(self.closing(i + 1))
            return i
        while i < len(self.tokens) and self.word(i) not in (";", "}"):
            i = self.closing(i) if self.word(i) in OPEN else i + 1
        return i + (self.word(i) == ";")


def annotate(text):
    annotator = Annotator(text)
    annotator.declarations(0)
    parts, last = [], 0
    for place in sorted(set(annotator.places)):
        parts.append(text[last:place].rstrip(" \t"))
        if not parts[-1].endswith("\n"):
            parts.append("\n")
        parts.append(PRAGMA + "\n")
        last = place
    parts.append(text[last:])
    return "".join(parts)


def without_refused(path, command):
    """Takes pragmas out until the plugin refuses none; returns what else it says."""
    while True:
        result = subprocess.run(command + ["-fsyntax-only", "-ferror-limit=0", path], capture_output=True, text=True)
        lines = open(path).read().split("\n")
        refused, others = set(), []
        for found in re.finditer(r"^(.*?):(\d+):\d+: (error|warning|note): (.*)$", result.stderr, re.M):
            number = int(found.group(2)) - 1
            here = found.group(1) == path and lines[number] == PRAGMA
            if here and REFUSED.search(found.group(4)):
                refused.add(number)
            elif found.group(3) == "error" and not REFUSED.search(found.group(4)):
                others.append(found.group(0))
        if not refused:
            return others + ([result.stderr] if result.returncode and not others else [])
        with open(path, "w") as out:
            out.write("\n".join(line for i, line in enumerate(lines) if i not in refused))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source, path, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(path, "w") as out:
        out.write(annotate(open(source, errors="surrogateescape").read()))
    others = without_refused(path, command) if command else []
    for line in others:
        print(line, file=sys.stderr)
    print(open(path, errors="surrogateescape").read().count(PRAGMA))
    sys.exit(bool(others))


if __name__ == "__main__":
    main()
