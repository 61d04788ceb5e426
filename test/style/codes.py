"""Every code that the tool gives has its row in docs/diagnostics.md, its page and a golden test; and there is no page or row without a code."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = re.compile(r"\bAR\d{3}\b")


def codes_in(paths, pattern=CODE):
    return {code for path in paths for code in pattern.findall(path.read_text())}


def main():
    sources = [p for p in (ROOT / "tool/rewrite").rglob("*") if p.suffix in (".cpp", ".h")]
    given = codes_in(sources, re.compile(r'"(AR\d{3})"')) - {"AR100"}  # where remarks begin
    index = ROOT / "docs/diagnostics.md"
    rows = re.findall(r"^\| \[?(AR\d{3})", index.read_text(), re.M)
    pages = {p.stem for p in (ROOT / "docs/diagnostics").glob("*.md")}
    titled = {p.stem for p in (ROOT / "docs/diagnostics").glob("*.md") if p.read_text().startswith(f"# {p.stem}: ")}
    tests = codes_in(p for p in (ROOT / "test/rewrite").rglob("*") if p.suffix in (".cpp", ".test"))
    wrong = []
    for what, there in [("row in docs/diagnostics.md", set(rows)),
                        ("page in docs/diagnostics", pages), ("title in its page", titled), ("test in test/rewrite", tests)]:
        wrong += [f"{code} has no {what}" for code in sorted(given - there)]
    wrong += [f"{code} has a row or a page, but the tool never gives it" for code in sorted((set(rows) | pages) - given)]
    if rows != sorted(set(rows)):
        wrong.append("the rows of docs/diagnostics.md are not in order")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
