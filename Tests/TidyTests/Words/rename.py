#!/usr/bin/env python3
"""Applies the table of identifiers to a checkout.

    rename.py [--table FILE] [--root DIR] [--only MODULE] [--dry-run] [--verbose]

Run it in the root of the checkout. The table has the columns scope, old, new and reason. A heading in the
table names the module that declares the names below it. An empty scope means the whole checkout;
`!Sources/A/` excludes a folder. The column old has one of these forms:

- `name`: every token with this text.
- `.name`: a member, after a dot or in its declaration.
- `name(_:at:)`: a call or a declaration with these labels.
- `receiver.name`: a member of this receiver.
- `var name`: a declaration with this keyword.
- `name:`: a name before a colon, such as a label.
- the name of a type: the type, its files and its tests are renamed.
- `Name.swift`: a file.

Add rows to the table, then run this file. A second run changes nothing.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import swiftlex  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ("Sources/", "Plugins/", "Tests/", ".ci/")
TYPES = {"struct", "enum", "class", "actor", "protocol", "typealias", "extension"}
DECLARERS = TYPES | {"func", "var", "let", "case"}
SIGNATURE = re.compile(r"^([A-Za-z_]\w*)\((.*)\)$")


# The former path of each renamed file. Scopes in the table contain former paths.
ORIGINS = {}


class Row:
    """One row of the table."""

    def __init__(self, line, module, scope, old, new, reason):
        self.line, self.module, self.reason = line, module, reason
        paths = [p.strip() for p in scope.split(",") if p.strip()]
        self.paths = [p for p in paths if not p.startswith("!")]
        self.not_paths = [p[1:] for p in paths if p.startswith("!")]
        self.old_text, self.new_text = old, new
        self.is_file = old.endswith(".swift")
        self.is_member = old.startswith(".")
        self.keyword = self.receiver = None
        self.has_colon = old.endswith(":") and not self.is_file
        old, new = (old.rstrip(":"), new.rstrip(":")) if self.has_colon else (old, new)
        if not self.is_file:
            if " " in old:
                self.keyword, old = old.split(" ", 1)
            elif "." in old and not self.is_member:
                self.receiver, old = old.rsplit(".", 1)
        old, new = old.lstrip("."), new.lstrip(".")
        self.labels = self.new_labels = None
        match = SIGNATURE.match(old)
        if match:
            old = match.group(1)
            self.labels = _labels(match.group(2))
            match = SIGNATURE.match(new)
            if match:
                new = match.group(1)
                self.new_labels = _labels(match.group(2))
        self.old, self.new = old, new
        self.is_type = old[:1].isupper() and not self.is_member and not self.is_file

    @property
    def is_narrow(self):
        """Returns whether the row has conditions other than the name."""
        return bool(
            self.is_member or self.keyword or self.receiver or self.has_colon or self.labels is not None)

    def covers(self, path):
        paths = {path, ORIGINS.get(path, path)}
        if any(q.startswith(p) for p in self.not_paths for q in paths):
            return False
        return not self.paths or any(q.startswith(p) for p in self.paths for q in paths)

    def names(self):
        """Returns the names that the row replaces, including the test suites of a type."""
        pairs = {self.old: self.new}
        if self.is_type:
            pairs[self.old + "Tests"] = self.new + "Tests"
        return pairs


def _labels(text):
    if text == "...":
        return ["..."]
    return text.split(":")[:-1] if text else []


def read_table(path):
    rows, module = [], ""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("## "):
                module = line[3:].split()[0]
            if not line.strip() or line.startswith("#"):
                continue
            columns = line.split("\t")
            if len(columns) != 4:
                sys.exit(f"{path}:{number}: expected 4 columns, found {len(columns)}")
            scope, old, new, reason = columns
            if old == "old":
                continue
            rows.append(Row(number, module, scope, old, new, reason))
    return rows


# MARK: Matching


class SwiftFile:
    def __init__(self, text):
        self.text = text
        self.tokens = swiftlex.tokens(text)
        self.code = [t for t in self.tokens if t.kind in ("name", "sign", "number", "text")]
        self._names = None

    def names(self):
        if self._names is None:
            self._names = {t.text for t in self.code if t.kind == "name"}
        return self._names

    def matches(self, row):
        """Returns the replacements of a row in the code, each as start, end and new text."""
        found = []
        pairs = row.names()
        code = self.code
        for at, token in enumerate(code):
            if token.kind != "name" or token.text not in pairs:
                continue
            before = code[at - 1] if at else None
            if row.is_member and not self._is_member(at):
                continue
            if row.keyword and (before is None or before.text != row.keyword):
                continue
            if row.has_colon and (at + 1 >= len(code) or code[at + 1].text != ":"):
                continue
            if row.receiver and not self._has_receiver(at, row.receiver):
                continue
            if row.labels is not None:
                labels = self._arguments(at)
                if labels is None or not _fits([l[0] for l in labels], row.labels):
                    continue
                if row.new_labels is not None and row.labels != ["..."]:
                    found += self._relabel(at, labels, row)
            new = pairs[token.text]
            found.append((token.start, token.end, new))
            found += self._raw_value(at, token, before)
        return found

    def _raw_value(self, at, token, before):
        """Keeps the raw value of a renamed case of an enum of strings."""
        code = self.code
        if before is None or before.text != "case" or not self._is_declared_case(at - 1):
            return []
        after = code[at + 1].text if at + 1 < len(code) else ""
        if after in ("=", "("):
            return []
        if not self._has_string_cases(at):
            return []
        return [(token.end, token.end, f' = "{token.text}"')]

    def _has_string_cases(self, at):
        """Returns whether the innermost type around a token is an enum of strings."""
        depth = 0
        code = self.code
        for back in range(at, -1, -1):
            text = code[back].text
            if code[back].kind != "sign":
                continue
            if text == "}":
                depth += 1
            elif text == "{":
                if depth:
                    depth -= 1
                    continue
                head = []
                while back > 0 and code[back - 1].text not in ("{", "}", ";"):
                    back -= 1
                    head.append(code[back].text)
                head.reverse()
                if "enum" not in head:
                    return False
                after = head[head.index("enum") :]
                return ":" in after and "String" in after[after.index(":") :]
        return False

    def _is_declared_case(self, at):
        """Returns whether `case` is a declaration: the innermost brace belongs to an enum, not to a switch."""
        depth = 0
        code = self.code
        for back in range(at - 1, -1, -1):
            if code[back].kind != "sign":
                continue
            if code[back].text == "}":
                depth += 1
            elif code[back].text == "{":
                if depth:
                    depth -= 1
                    continue
                while back > 0 and code[back - 1].text not in ("{", "}"):
                    back -= 1
                    if code[back].text == "enum":
                        return True
                    if code[back].text in ("switch", "func", "if", "guard", "for", "while"):
                        return False
                return False
        return False

    def _is_member(self, at):
        """Returns whether a token is a member: after a dot or declared in a type, and not a local name."""
        before = self.code[at - 1].text if at else ""
        if before == ".":
            return True
        if before in ("var", "let", "case", "func"):
            return before == "func" or self._is_declared_in_type(at)
        return False

    def _has_receiver(self, at, receiver):
        code = self.code
        if at < 2 or code[at - 1].text != ".":
            return False
        back = at - 2
        while back > 0 and code[back].text in ("?", "!"):
            back -= 1
        return code[back].text == receiver

    def _is_declared_in_type(self, at):
        depth = 0
        code = self.code
        for back in range(at - 1, -1, -1):
            if code[back].kind != "sign":
                continue
            if code[back].text in ("}", ")"):
                depth += 1
            elif code[back].text in ("{", "("):
                if depth:
                    depth -= 1
                    continue
                if code[back].text == "(":
                    return False
                while back > 0 and code[back - 1].text not in ("{", "}"):
                    back -= 1
                    if code[back].kind != "name":
                        continue
                    if code[back].text in TYPES:
                        return True
                    if code[back].text in ("func", "if", "guard", "for", "while", "switch", "init", "get", "set"):
                        return False
                return False
        return False

    def _arguments(self, at):
        """Returns the labels after the token of a call, a declaration, or a name such as `f(a:b:)`.

        Each label is a pair: its text and the index of its token, or "_" and None without a label. Returns an
        empty list for a trailing closure, and None when neither a parenthesis nor a closure follows."""
        code = self.code
        at += 1
        if at < len(code) and code[at].text == "<":  # generic parameters
            depth = 0
            while at < len(code):
                depth += (code[at].text == "<") - (code[at].text == ">")
                at += 1
                if depth == 0:
                    break
        if at >= len(code) or code[at].text != "(" or code[at].kind != "sign":
            return [] if at < len(code) and code[at].text == "{" else None
        labels, depth, start = [], 0, at + 1
        piece = []
        for index in range(at, len(code)):
            sign = code[index].text if code[index].kind == "sign" else ""
            if sign in ("(", "[", "{"):
                depth += 1
                if depth > 1:
                    piece.append(index)
                continue
            if sign in (")", "]", "}"):
                depth -= 1
                if depth == 0:
                    break
                piece.append(index)
                continue
            if sign == "," and depth == 1:
                labels.append(self._label(piece))
                piece = []
                continue
            piece.append(index)
        if piece:
            if len(piece) >= 2 and all(code[i].text == ":" for i in piece[1::2]) and len(piece) % 2 == 0:
                return [(code[i].text, i) for i in piece[::2]]  # f(a:b:)
            labels.append(self._label(piece))
        return labels

    def _label(self, piece):
        code = self.code
        if len(piece) >= 2 and code[piece[0]].kind == "name":
            if code[piece[1]].text == ":":
                return (code[piece[0]].text, piece[0])
            if len(piece) >= 3 and code[piece[1]].kind == "name" and code[piece[2]].text == ":":
                return (code[piece[0]].text, piece[0])
        return ("_", None)

    def _relabel(self, at, labels, row):
        found, place = [], 0
        for text, index in labels:
            while place < len(row.labels) and row.labels[place] != text:
                place += 1
            if place >= len(row.new_labels):
                break
            new = row.new_labels[place]
            place += 1
            if new == text or index is None:
                continue
            token = self.code[index]
            is_declaration = at and self.code[at - 1].text == "func"
            after = self.code[index + 1]
            if is_declaration and after.text == ":":
                new = f"{new} {token.text}"
            found.append((token.start, token.end, new))
        return found


def _fits(found, wanted):
    """Returns whether the labels of a call match those of a row: they are equal, or the row accepts all labels."""
    if wanted == ["..."]:
        return True
    if found == wanted:
        return True
    return False


# MARK: Comments and documents

_TICKED = re.compile(r"(`+)([^`\n]+)\1")


def replace_ticked(text, row, in_document):
    """Replaces the identifier of a row between backticks."""
    if row.keyword or row.receiver or row.has_colon or row.is_member and "." not in text:
        return text
    pairs = row.names()
    word = re.compile(r"(?<![A-Za-z0-9_])(" + "|".join(map(re.escape, pairs)) + r")(?![A-Za-z0-9_])")

    def inside(match):
        body = match.group(2)

        def one(found):
            before = body[: found.start()]
            after = body[found.end() :]
            name = found.group(1)
            is_plain = not re.search(r"[A-Z]", name)
            if row.labels is not None and not after.startswith("("):
                return name
            if row.labels not in (None, ["..."]) and after.startswith("("):
                wanted = "(" + "".join(l + ":" for l in row.labels) + ")"
                if not after.startswith(wanted) and not after.startswith("()"):
                    return name
            if row.is_member and not before.endswith("."):
                return name
            if is_plain and in_document and not before.endswith(".") and not after.startswith("("):
                return name
            return pairs[name]

        return match.group(1) + word.sub(one, body) + match.group(1)

    return _TICKED.sub(inside, text)


_ITEM = re.compile(r"^(?:\d+\.|-) .*\n(?:[ \t]+.*\n)*", re.M)
_PATH = re.compile(r"`([\w./+-]+\.swift)`")


def replace_in_item(item, row, edited):
    """Replaces a member's name in a list item, if the item names a source file that the row has changed."""
    path = _PATH.search(item)
    if path is None or row.is_type or row.receiver or row.keyword or f"`{row.old}`" not in item:
        return item
    if path.group(1) not in edited:
        return item
    return item.replace(f"`{row.old}`", f"`{row.new}`")


_FENCE = re.compile(r"(^```swift\n)(.*?)(^```)", re.M | re.S)


def apply_edits(text, edits):
    for start, end, new in sorted(set(edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


# MARK: Collisions


class Declarations:
    """The declarations of each type, including its extensions in the same module. The key is module and name."""

    def __init__(self):
        self.members = defaultdict(lambda: defaultdict(set))  # type -> name -> {(signature, path)}

    def add(self, path, file):
        module = "/".join(path.split("/")[:2])
        code, stack, at = file.code, [], 0
        pending = None
        while at < len(code):
            token = code[at]
            following = code[at + 1] if at + 1 < len(code) else None
            is_named = following is not None and following.kind == "name"
            if token.kind == "sign" and token.text == "{":
                stack.append(pending)
                pending = None
            elif token.kind == "sign" and token.text == "}":
                if stack:
                    stack.pop()
            elif token.kind == "name" and token.text in TYPES and is_named:
                name = following.text
                if token.text == "extension":
                    while at + 3 < len(code) and code[at + 2].text == "." and code[at + 3].kind == "name":
                        at += 2
                        name = code[at + 1].text
                else:
                    self.members[self._owner(stack, module)][name].add(("type", path))
                pending = ("type", module + " " + name) if token.text != "typealias" else None
                at += 1
            elif token.kind == "name" and token.text in ("func", "init", "subscript"):
                if token.text == "func" and is_named:
                    if not any(s and s[0] == "func" for s in stack):
                        labels = file._arguments(at + 1) or []
                        signature = "(" + "".join(l[0] + ":" for l in labels) + ")"
                        self.members[self._owner(stack, module)][following.text].add((signature, path))
                    at += 1
                pending = ("func", "")
            elif token.kind == "name" and token.text in ("var", "let", "case") and is_named:
                if stack and stack[-1] and stack[-1][0] == "type":
                    self.members[stack[-1][1]][following.text].add(("value", path))
            at += 1

    @staticmethod
    def _owner(stack, module):
        for item in reversed(stack):
            if item and item[0] == "type":
                return item[1]
        return module

    def clashes(self, row, name, new):
        """Returns the types in which the row renames a member although they already declare the new name."""
        found = []
        for owner, members in self.members.items():
            if name not in members or new not in members:
                continue
            mine = {signature for signature, path in members[name] if row.covers(path)}
            theirs = {signature for signature, path in members[new]}
            if row.labels is not None and row.labels != ["..."]:
                if _signature(row.labels) not in mine:
                    continue
                mine = {_signature(row.new_labels if row.new_labels is not None else row.labels)}
            if mine & theirs:
                found.append(owner)
        return found

    def renamed(self, row, name, new):
        for members in self.members.values():
            if name not in members:
                continue
            moved = {
                (signature, path) for signature, path in members[name]
                if row.covers(path) and (row.labels in (None, ["..."]) or signature == _signature(row.labels))
            }
            members[name] -= moved
            if not members[name]:
                del members[name]
            if row.new_labels is not None:
                moved = {(_signature(row.new_labels), path) for _, path in moved}
            if moved:
                members[new] |= moved


def _signature(labels):
    return "(" + "".join(label + ":" for label in labels) + ")"


def bare_uses(file, name, is_call=False):
    """Returns the functions that use a name without a dot and not as a label; with `is_call`, those that call it.

    A function is identified by the index of its opening brace."""
    found, stack, pending, last = set(), [], False, -1
    code = file.code
    for at, token in enumerate(code):
        if token.kind == "name" and token.text in ("func", "init", "get", "set"):
            pending, last = True, at
        elif token.kind == "sign" and token.text == "{":
            if pending:  # parameters belong to the body that follows
                found = {at if use is not None and use > last and use not in stack else use for use in found}
            stack.append(at if pending or not stack else stack[-1])
            pending = False
        elif token.kind == "sign" and token.text == "}" and stack:
            stack.pop()
        elif token.kind == "name" and token.text == name:
            before = code[at - 1].text if at else ""
            after = code[at + 1].text if at + 1 < len(code) else ""
            if is_call:
                is_use = before not in (".", "func", "case") and after == "("
            elif after == ":":  # a parameter behind its label, or a local name with a type
                is_use = at > 0 and code[at - 1].kind == "name" and before not in ("case", "default")
            else:
                is_use = before not in (".", "func", "case") and after != "("
            if is_use:
                found.add(at if pending else stack[-1] if stack else -1)
    return found


def collisions(row, files, declared):
    """Returns the reasons why a row cannot be applied, as sentences."""
    found = []
    if row.keyword or row.receiver or row.has_colon:
        return found
    for name, new in row.names().items():
        for owner in declared.clashes(row, name, new):
            found.append(f"{owner} declares {new} already")
    if row.is_type or row.is_narrow and row.labels is None:
        return found
    for path, file in files.items():
        if not row.covers(path) or row.new not in file.names():
            continue
        both = bare_uses(file, row.new)
        both = both and both & bare_uses(file, row.old, is_call=row.labels is not None)
        for brace in both:
            line = file.text.count("\n", 0, file.code[brace].start) + 1 if brace >= 0 else 1
            found.append(f"{path}:{line}: uses {row.old} and {row.new} in one function")
    return found


# MARK: Main


def tracked(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout
    return [p for p in out.decode().split("\0") if p]


def is_swift(path):
    return path.endswith(".swift") or os.path.basename(path).startswith("swift-") and path.endswith(".template")


def renamed_path(path, row):
    folder, base = os.path.split(path)
    if row.is_file:
        return os.path.join(folder, row.new_text) if base == row.old_text else path
    if not row.is_type or not base.endswith(".swift"):
        return path
    parts = base[: -len(".swift")].split("+")
    pairs = row.names()
    return os.path.join(folder, "+".join(pairs.get(p, p) for p in parts) + ".swift")


def former_path(path, row):
    """Returns the path before the renames; the inverse of `renamed_path`."""
    folder, base = os.path.split(path)
    if row.is_file:
        return os.path.join(folder, row.old_text) if base == row.new_text else path
    if not row.is_type or not base.endswith(".swift"):
        return path
    parts = base[: -len(".swift")].split("+")
    pairs = {new: old for old, new in row.names().items()}
    return os.path.join(folder, "+".join(pairs.get(p, p) for p in parts) + ".swift")


def note_origins(paths, rows):
    """Stores in ORIGINS the former path of each file that the table renames."""
    for path in paths:
        origin = path
        for row in reversed(rows):
            origin = former_path(origin, row)
        if origin != path:
            ORIGINS[path] = origin


def main():
    parser = argparse.ArgumentParser(description="Renames identifiers by a table.")
    parser.add_argument("--table", default=os.path.join(HERE, "identifiers.tsv"))
    parser.add_argument("--root", default=".")
    parser.add_argument("--only", help="rows of this module (a heading of the table), applied wherever they are used")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="also print rows that change nothing")
    options = parser.parse_args()

    rows = read_table(options.table)
    check_table(rows)
    everything = rows
    modules = {row.module for row in rows}
    if options.only:
        if options.only not in modules:
            sys.exit(f"no module {options.only} in the table; it has {', '.join(sorted(modules))}")
        rows = [row for row in rows if row.module == options.only]

    root = options.root
    paths = [p for p in tracked(root) if os.path.exists(os.path.join(root, p))]
    note_origins(paths, everything)
    texts, files, changed, moved = {}, {}, set(), {}
    for path in paths:
        if path.startswith(FOLDERS) and is_swift(path) or path == "Package.swift" or path.endswith(".md"):
            if path == "CHANGELOG.md":
                continue
            with open(os.path.join(root, path), encoding="utf-8") as file:
                texts[path] = file.read()
            if is_swift(path):
                files[path] = SwiftFile(texts[path])
    index = defaultdict(set)
    for path, file in files.items():
        for name in file.names():
            index[name].add(path)
    declared = Declarations()
    for path, file in files.items():
        if not path.startswith("Tests/"):
            declared.add(path, file)

    total, refused, used = Counter(), 0, 0
    for row in rows:
        if row.is_file:
            row_total = 0
        else:
            involved = {p for name in row.names() for p in index[name] if row.covers(p)}
            edits = {p: files[p].matches(row) for p in involved}
            edits = {p: e for p, e in edits.items() if e}
            row_total = sum(len(e) for e in edits.values())
            if row_total:
                reasons = collisions(row, {p: files[p] for p in edits}, declared)
                if reasons and not row.reason.endswith("(checked)"):
                    print(f"refused {row.old_text} -> {row.new_text} (line {row.line}):")
                    for reason in reasons[:6]:
                        print(f"    {reason}")
                    refused += 1
                    continue
            for path, found in edits.items():
                texts[path] = apply_edits(texts[path], found)
                files[path] = SwiftFile(texts[path])
                for name in files[path].names():
                    index[name].add(path)
                changed.add(path)
                total[path.split("/")[1] if "/" in path else path] += len(found)
            if row_total and not row.keyword and not row.receiver and not row.has_colon:
                for name, new in row.names().items():
                    declared.renamed(row, name, new)
            edited = set(edits) | {moved[path] for path in edits if path in moved}
            row_total += apply_to_prose(row, texts, files, changed, edited)
        moves = 0
        for path in list(texts):
            new = renamed_path(moved.get(path, path), row)
            if row.covers(path) and new != moved.get(path, path):
                moved[path] = new
                moves += 1
        if moves:
            row_total += mention_files(row, texts, files, changed)
        if row_total or moves:
            used += 1
            files_text = f", {moves} files" if moves else ""
            print(f"{row_total:5} {row.old_text} -> {row.new_text}{files_text}")
        elif options.verbose:
            print(f"    - {row.old_text} -> {row.new_text}")

    if not options.dry_run:
        for path in changed:
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(texts[path])
        for old, new in moved.items():
            subprocess.run(["git", "-C", root, "mv", old, new], check=True)
    print(f"{used} of {len(rows)} rows applied, {refused} refused; {sum(total.values())} places in {len(changed)} files; "
          f"{len(moved)} files renamed" + (" (dry run, nothing written)" if options.dry_run else ""))
    for module, count in sorted(total.items()):
        print(f"{count:7} {module}")
    sys.exit(1 if refused else 0)


def check_table(rows):
    """Rejects a table in which a new name is the old name of another row: a second run would rename it again."""
    for row in rows:
        for other in rows:
            if row is other or row.is_file or other.is_file or other.old != row.new:
                continue
            if other.is_narrow or row.labels is not None:
                if other.labels != (row.new_labels or row.labels) or other.is_member or other.keyword or other.receiver or other.has_colon:
                    continue
            if not row.paths or not other.paths or any(
                    a.startswith(b) or b.startswith(a) for a in row.paths for b in other.paths):
                sys.exit(f"line {row.line}: the new name {row.new} is the old name of line {other.line}")


def apply_to_prose(row, texts, files, changed, edited):
    count = 0
    for path in texts:
        text = texts[path]
        if row.old not in text:
            continue
        if path.endswith(".md"):
            is_for_path = bool(row.paths) and row.covers(path)
            new = text
            if is_for_path or not (row.paths or row.not_paths) or row.is_type or re.search(r"[A-Z]", row.old):
                new = _FENCE.sub(
                    lambda m: m.group(1) + apply_edits(m.group(2), SwiftFile(m.group(2)).matches(row)) + m.group(3),
                    new)
                new = "".join(
                    part if part.startswith("```") else replace_ticked(part, row, True)
                    for part in re.split(r"(^```.*?^```)", new, flags=re.M | re.S))
            new = _ITEM.sub(lambda m: replace_in_item(m.group(), row, edited), new)
        elif row.covers(path):
            edits = [
                (t.start, t.end, replace_ticked(t.text, row, False))
                for t in files[path].tokens
                if t.kind == "comment" and row.old in t.text
            ]
            edits = [e for e in edits if text[e[0]:e[1]] != e[2]]
            new = apply_edits(text, edits)
        else:
            continue
        if new != text:
            count += 1
            texts[path] = new
            if path in files:
                files[path] = SwiftFile(new)
            changed.add(path)
    return count


def mention_files(row, texts, files, changed):
    """Replaces the path of a renamed file in strings, comments and documents."""
    count = 0
    pairs = {row.old_text: row.new_text} if row.is_file else {
        a + end: b + end for a, b in row.names().items() for end in (".swift", "+")}
    for path, text in texts.items():
        new = text
        for old, name in pairs.items():
            if old.endswith("+"):
                new = re.sub(r"(?<=[/`])" + re.escape(old) + r"(?=[A-Z]\w*\.swift)", name, new)
            else:
                new = re.sub(r"(?<![A-Za-z0-9_])" + re.escape(old) + r"(?![A-Za-z0-9_])", name, new)
        if new != text:
            count += 1
            texts[path] = new
            if path in files:
                files[path] = SwiftFile(new)
            changed.add(path)
    return count


if __name__ == "__main__":
    main()
