"""Change the package at random places, and see which changes the tests notice.

A *mutant* is the package with one token changed: ``<`` to ``<=``, ``+`` to ``-``, ``and`` to ``or``, a number to the
next one. The tests *kill* a mutant if one of them fails, or waits for ever; a mutant that *survives* shows a missing
test, or a change that makes no difference to any result.

::

    python stress/mutants.py draw --seed 1 > mutants.json
    python stress/mutants.py run mutants.json --reach .coverage --durations pytest.log --result result.json

``draw`` chooses the places, uniformly in each part of the package. ``run`` needs two files of a run of all tests: the
coverage with contexts (``pytest --cov --cov-context=test``), which tells the tests that reach a place, and what pytest
printed (with ``--durations=0``), which tells how long each takes. Coverage does not see the lines of a kernel: the
tests of a kernel are those that reach one of its callers. The fastest tests run first, until one fails;
examples of pages, which need the examples above them, are left out.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tokenize
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/triadic"
# Folders of a part, what their files are called, and the share of the mutants that are drawn there.
PARTS = {
    "kernels": (("devices/cpu",), "*.py", 18),
    "formulas": (("measures", "counts", "core"), "*.py", 8),
    "readers": (("io", "convert"), "*.py", 8),
    "null models": (("null_models", "generate"), "*.py", 7),
    "tiles": (("tiles", "planning"), "*.py", 7),
    "C": (("devices/gpu",), "*.[ch]", 12),
}
OPERATORS = {
    "+": "-", "-": "+", "*": "+", "//": "*", "/": "*", "%": "+", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=",
    "!=": "==", "+=": "-=", "-=": "+=", "&": "|", "|": "&", "<<": ">>", ">>": "<<", "&&": "||", "||": "&&",
}  # fmt: skip
WORDS = {
    "and": "or", "or": "and", "not": "", "True": "False", "False": "True", "break": "continue", "continue": "break",
    "min": "max", "max": "min", "any": "all", "all": "any",
}  # fmt: skip
C_TOKEN = re.compile(r"->|\+\+|--|<<=|>>=|[-+&|]=|<<|>>|<=|>=|==|!=|&&|\|\||[-+<>|]|\b(?:min|max)\b|\b\d+\b")


def ranges_without_effect(tree):
    """Yield the nodes of a module whose tokens are no part of what it computes: annotations, decorators, messages."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from node.decorator_list
        if isinstance(node, ast.FunctionDef) and node.returns:
            yield node.returns
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield node.annotation
        if isinstance(node, ast.Raise | ast.Assert):
            yield node


def python_sites(text):
    """Yield line, column, token and replacement of each place inside a function of a Python file."""
    tree = ast.parse(text)
    spans = [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in ranges_without_effect(tree)]
    inside = [(f.body[0].lineno, f.end_lineno) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)]
    unary = {
        (n.lineno, n.col_offset) for n in ast.walk(tree) if isinstance(n, ast.UnaryOp) and not isinstance(n.op, ast.Not)
    }
    for found in tokenize.generate_tokens(io.StringIO(text).readline):
        at = found.start
        if not any(a <= at[0] <= b for a, b in inside) or any(a <= at < b for a, b in spans) or at in unary:
            continue
        word = found.string
        if found.type == tokenize.OP and word in OPERATORS and not starred(found):
            yield *at, word, OPERATORS[word]
        elif found.type == tokenize.NAME and word in WORDS:
            yield *at, word, WORDS[word]
        elif found.type == tokenize.NUMBER and word.isdigit():
            yield *at, word, str(int(word) + 1)


def starred(found):
    """Return whether a star unpacks, or a slash ends positional parameters."""
    before = found.line[: found.start[1]].rstrip()
    return found.string in "*/" and (not before or before[-1] in "([{,=" or before.endswith(("return", "yield", "in")))


def c_sites(text):
    """Yield line, column, token and replacement of each place of a C file outside comments and directives."""
    blank = re.sub(r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.DOTALL)
    for number, line in enumerate(blank.splitlines(), 1):
        if line.lstrip().startswith("#"):
            continue
        for found in C_TOKEN.finditer(line):
            word = found[0]
            if word in OPERATORS and not (word == "-" and line[: found.start()].rstrip()[-1:] in "(,=?:<>"):
                yield number, found.start(), word, OPERATORS[word]
            elif word in WORDS:
                yield number, found.start(), word, WORDS[word]
            elif word.isdigit():
                yield number, found.start(), word, str(int(word) + 1)


def draw(seed, count):
    """Return mutants drawn from each part of the package, in the shares of `PARTS`."""
    chance, whole = random.Random(seed), sum(share for *_, share in PARTS.values())
    mutants = []
    for part, (folders, pattern, share) in PARTS.items():
        sites = []
        for folder in folders:
            for path in sorted((ROOT / PACKAGE / folder).rglob(pattern)):
                text = path.read_text()
                find = python_sites if path.suffix == ".py" else c_sites
                lines = text.splitlines()
                sites += [(part, path.relative_to(ROOT).as_posix(), lines[site[0] - 1], *site) for site in find(text)]
        mutants += chance.sample(sites, round(count * share / whole))
    names = ("part", "file", "text", "line", "column", "token", "replacement")
    return [dict(zip(names, mutant, strict=True)) for mutant in mutants]


def mutate(root, mutant):
    """Write a mutant, at the line of the same text that is nearest to where it was drawn."""
    path = root / mutant["file"]
    lines = path.read_text().splitlines(keepends=True)
    same = [n for n, line in enumerate(lines, 1) if line.rstrip("\n") == mutant["text"]]
    if not same:
        return None
    number = min(same, key=lambda n: abs(n - mutant["line"]))
    line, column = lines[number - 1], mutant["column"]
    assert line[column:].startswith(mutant["token"])
    lines[number - 1] = line[:column] + mutant["replacement"] + line[column + len(mutant["token"]) :]
    path.unlink()  # the copy shares its files with the original
    path.write_text("".join(lines))
    return number


class Reach:
    """The tests that reach each line, from a file of coverage, and through kernels by the names that they call."""

    def __init__(self, database, log):
        from coverage import CoverageData

        data = CoverageData(database)
        data.read()
        self.lines = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
        self.seconds = defaultdict(float)
        for seconds, test in re.findall(r"^ *([\d.]+)s (?:call|setup) +(.*)$", log.read_text(), re.MULTILINE):
            self.seconds[test] += float(seconds)
        self.functions, self.users, self.words = {}, defaultdict(set), {}
        for path in sorted((ROOT / PACKAGE).rglob("*.py")):
            file, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())
            self.words[file] = set(re.findall(r"\w+", path.read_text()))
            for found in ast.walk(tree):
                if isinstance(found, ast.FunctionDef):
                    self.functions.setdefault(file, []).append(
                        (found.lineno, found.body[0].lineno, found.end_lineno, found.name)
                    )
                    for used in ast.walk(found):
                        name = (
                            used.id
                            if isinstance(used, ast.Name)
                            else used.attr
                            if isinstance(used, ast.Attribute)
                            else None
                        )
                        if isinstance(used, ast.Constant) and isinstance(used.value, str):
                            name = f"{used.value}.c"
                        if name and name != found.name:
                            self.users[name].add((file, found.name))

    def tests_of_lines(self, file, first, last):
        """Return the tests that ran a line of a file."""
        contexts = self.lines.get(file, {})
        return {name.rpartition("|")[0] for n in range(first, last + 1) for name in contexts.get(n, ())} - {""}

    def tests_of_function(self, file, name, seen):
        """Return the tests that ran a function, or one that uses it."""
        if (file, name) in seen:
            return set()
        seen.add((file, name))
        tests = set()
        for _, first, last, found in self.functions.get(file, ()):
            if found == name:
                tests |= self.tests_of_lines(file, first, last)
        if tests:
            return tests
        for user in self.users[name]:
            if user[0] == file or Path(file).stem in self.words[user[0]]:  # which imports the module
                tests |= self.tests_of_function(*user, seen)
        return tests

    def tests(self, mutant):
        """Return the tests that reach a mutant, those of files named alike first, then the fastest."""
        file, line = mutant["file"], mutant["line"]
        if file.endswith(".py"):
            tests = self.tests_of_lines(file, line, line)
            around = [f for f in self.functions.get(file, ()) if f[0] <= line <= f[2]]
            if not tests and around:
                tests = self.tests_of_function(file, max(around)[3], set())
            if not tests:  # used by a value, such as a table of functions
                tests = set().union(
                    *(self.tests_of_lines(file, first, last) for _, first, last, _ in self.functions[file])
                )
        else:
            tests = self.tests_of_c(Path(file))
        stem = set(re.split(r"[_.]", Path(file).stem))
        tests = {test for test in tests if not test.partition("::")[0].endswith(".md")}
        return sorted(
            tests,
            key=lambda test: (-len(stem & set(re.split(r"\W|_", test))) if "::" in test else 0, self.seconds[test]),
        )

    def tests_of_c(self, path):
        """Return the tests on devices of drivers that load a C file, or one that includes a header."""
        loaded, added = {path.name}, True
        while added:
            added = False
            for other in sorted((ROOT / path.parent).glob("*.[ch]")):
                if other.name not in loaded and any(
                    f'"{name}"' in other.read_text() for name in loaded if name.endswith(".h")
                ):
                    loaded.add(other.name)
                    added = True
        tests = set()
        for driver in sorted((ROOT / path.parent).glob("*.py")):
            text = driver.read_text()
            if any(f'"{Path(name).stem}"' in text or driver.stem == Path(name).stem for name in loaded):
                for _, first, last, _ in self.functions.get(driver.relative_to(ROOT).as_posix(), ()):
                    tests |= self.tests_of_lines(driver.relative_to(ROOT).as_posix(), first, last)
        return tests


def judge(mutant, tests, limit):
    """Run tests on a mutant until one fails; return what happened."""
    with tempfile.TemporaryDirectory(dir=ROOT.parent, prefix="mutant-") as folder:
        root = Path(folder) / ROOT.name
        root.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in (".venv", ".git", "site", "build"):
                copy = shutil.copytree if entry.is_dir() else shutil.copy2
                copy(entry, root / entry.name, **({"copy_function": os.link} if entry.is_dir() else {}))
        (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        if mutate(root, mutant) is None:
            return {"outcome": "gone"}
        (root / "tests.txt").write_text("".join(f"{test}\n" for test in tests))
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider"]
        command += [
            "--timeout=120",
            "-o",
            "timeout_method=thread",
            "-o",
            "addopts=--import-mode=importlib --doctest-modules",
        ]
        paths = os.pathsep.join([str(root / "src"), str(root / "papers" / "src")])
        started = time.monotonic()
        try:
            done = subprocess.run(
                [*command, "@tests.txt"], cwd=root, env=os.environ | {"PYTHONPATH": paths}, timeout=limit,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
            )  # fmt: skip
            output, code = done.stdout, done.returncode
        except subprocess.TimeoutExpired as error:
            output, code = (error.stdout or b"").decode(errors="replace"), None
        failed = re.findall(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", output, re.MULTILINE)
        passed = re.search(r"(\d+) passed", output)
        return {
            "outcome": {0: "survived", None: "survived until the time limit", 5: "no tests"}.get(code, "killed"),
            "by": failed[:1] or ([output[-300:]] if code not in (0, None) else []),
            "passed": int(passed[1]) if passed else 0,
            "reach": len(tests),
            "seconds": round(time.monotonic() - started, 1),
        }


def run(mutants, reach, result, limit, most, jobs, first):
    """Judge mutants side by side, and write what happened after each."""
    found = json.loads(result.read_text()) if result.exists() else {}

    def one(number):
        mutant = mutants[number]
        tests = reach.tests(mutant)
        before = [test for test in first.get(str(number), {}).get("by", ()) if test in tests]
        tests = [*before, *(test for test in tests if test not in before)][:most]
        found[str(number)] = judge(mutant, tests, limit) if tests else {"outcome": "not reached"}
        result.write_text(json.dumps(dict(sorted(found.items(), key=lambda item: int(item[0]))), indent=1))
        print(
            number,
            mutant["file"],
            mutant["line"],
            mutant["token"],
            "→",
            mutant["replacement"],
            found[str(number)],
            flush=True,
        )

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, [n for n in range(len(mutants)) if str(n) not in found]))


def table(mutants, results):
    """Yield the lines of a table of mutants, with a column for each result."""
    yield f"| part | place | change | {' | '.join(results)} |"
    yield f"|---|---|---|{'---|' * len(results)}"
    for number, mutant in enumerate(mutants):
        place = f"`{mutant['file'].removeprefix(PACKAGE + '/')}:{mutant['line']}`"
        change = f"`{mutant['token']}` → `{mutant['replacement']}`".replace("|", "\\|").replace("→ ``", "→ nothing")
        cells = [_in_words(result.get(str(number), {"outcome": ""})) for result in results.values()]
        yield f"| {mutant['part']} | {place} | {change} | {' | '.join(cells)} |"
    for name, result in results.items():
        killed = sum(one["outcome"] == "killed" for one in result.values())
        yield f"\n{name}: {killed} of {len(mutants)} killed"


def _in_words(found):
    if found["outcome"] != "killed":
        return found["outcome"]
    by = found["by"][0] if found["by"] and "::" in found["by"][0] else ""
    return f"`{by.partition('[')[0].rpartition('::')[2]}`" if by else "the process ended"


def main():
    """Draw mutants, or run the tests on them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    of_draw = commands.add_parser("draw")
    of_draw.add_argument("--seed", type=int, required=True)
    of_draw.add_argument("--count", type=int, default=60)
    of_run = commands.add_parser("run")
    of_run.add_argument("mutants", type=Path)
    for name in ("--reach", "--durations", "--result"):
        of_run.add_argument(name, type=Path, required=True)
    of_run.add_argument("--before", type=Path, help="an earlier result: the test that killed a mutant runs first")
    of_run.add_argument("--limit", type=float, default=600, help="seconds for one mutant")
    of_run.add_argument("--most", type=int, default=400, help="tests for one mutant")
    of_run.add_argument("--jobs", type=int, default=2)
    of_table = commands.add_parser("table")
    of_table.add_argument("mutants", type=Path)
    of_table.add_argument("results", nargs="+", metavar="NAME=RESULT")
    asked = parser.parse_args()
    if asked.command == "draw":
        print(json.dumps(draw(asked.seed, asked.count), indent=1))
        return
    if asked.command == "table":
        named = [given.partition("=") for given in asked.results]
        results = {name: json.loads(Path(path).read_text()) for name, _, path in named}
        print(*table(json.loads(asked.mutants.read_text()), results), sep="\n")
        return
    first = json.loads(asked.before.read_text()) if asked.before else {}
    reach = Reach(asked.reach, asked.durations)
    run(json.loads(asked.mutants.read_text()), reach, asked.result, asked.limit, asked.most, asked.jobs, first)


if __name__ == "__main__":
    main()
