# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page of the manual as a list of steps: files to write, commands to run, and the output that the page shows of them."""
import re
from dataclasses import dataclass, field

COMMENT = re.compile(r"<!-- *(file|setup|needs|exact)(?::(.*?))? *-->$")
STATUS = re.compile(r"# exit status (\d+)$")


class PageError(Exception):
    pass


@dataclass
class Step:
    """`kind` is file, setup or run; `text` the file's content or the command."""

    kind: str
    line: int
    text: str
    name: str = ""
    needs: list = field(default_factory=list)
    exact: bool = False
    status: int = 0
    expected: list = field(default_factory=list)
    output_line: int = 0


class Reader:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.at = 0
        self.steps = []
        self.forget()

    def forget(self):
        self.needs, self.exact, self.name = [], False, ""

    def read(self):
        while self.at < len(self.lines):
            self.take(self.lines[self.at].strip())
        return self.steps

    def take(self, line):
        comment = COMMENT.match(line)
        self.at += 1
        if comment:
            self.take_comment(comment[1], (comment[2] or "").strip())
        elif line.startswith("```"):
            self.take_block(line)
        elif line:
            self.forget()

    def take_comment(self, word, value):
        if word == "needs":
            self.needs += value.split()
        elif word == "exact":
            self.exact = True
        elif word == "file":
            self.name = value
        else:
            self.steps.append(Step("setup", self.at, value, needs=self.needs))
            self.needs = []

    def take_block(self, opening):
        fence = re.match("`+", opening)[0]
        tag, start, indent = opening[len(fence):].strip(), self.at, self.lines[self.at - 1].index("`")
        while self.at < len(self.lines) and self.lines[self.at].strip() != fence:
            self.at += 1
        if self.at == len(self.lines):
            raise PageError("line %d: the block has no end; close it with %s." % (start, fence))
        block = [line[indent:] if not line[:indent].strip() else line for line in self.lines[start:self.at]]
        self.at += 1
        if self.name:
            text = "\n".join(block) + "\n"
            self.steps.append(Step("file", start + 1, text, name=self.name, needs=self.needs))
        elif tag == "console":
            self.take_console(block, start + 1)
        self.forget()

    def take_console(self, block, first):
        commands = []
        for number, line in enumerate(block, first):
            if commands and not commands[-1].output_line and commands[-1].text.endswith("\\"):
                commands[-1].text += "\n" + line
            elif line.startswith("$ "):
                commands.append(Step("run", number, line[2:], needs=self.needs, exact=self.exact))
            elif not commands:
                raise PageError("line %d: a console block begins with a command: '$ COMMAND'." % number)
            else:
                commands[-1].output_line = commands[-1].output_line or number
                commands[-1].expected.append(line)
        for command in commands:
            self.take_status(command)
        self.steps += commands

    @staticmethod
    def take_status(command):
        while command.expected and not command.expected[-1].strip():
            command.expected.pop()
        status = command.expected and STATUS.match(command.expected[-1])
        if status:
            command.status = int(status[1])
            command.expected.pop()


def read_page(text):
    return Reader(text).read()
