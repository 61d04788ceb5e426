"""Writes a program with tabs, and without the end of its last line; with --check, tells whether a rewritten one kept that."""

import sys

if sys.argv[1] != "--check":
    text = open(sys.argv[1]).read()
    open(sys.argv[2], "w").write(text.replace("  ", "\t").rstrip("\n"))
else:
    text = open(sys.argv[2]).read()
    assert text.endswith("}")
    code = text[text.index("int main"):]
    assert "  " not in code, code
    assert "\n\taccel::Accelerator accelerator;\n" in code
    assert "\n\t\taccelerator.backward(loss);\n" in code
