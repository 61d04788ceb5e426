"""Writes a program with a byte order mark, without its comments at the top, and in Latin-1; with --check, tells whether a rewritten one kept
all that."""

import sys

MARK = b"\xef\xbb\xbf"
if sys.argv[1] != "--check":
    text = open(sys.argv[1], encoding="utf-8").read()
    text = text[text.index("#include"):]
    open(sys.argv[2], "wb").write(MARK + text.encode("latin-1"))
else:
    old, new = (open(name, "rb").read() for name in sys.argv[2:])
    assert new.startswith(MARK + b"#include <accel/accel.h>\n#include \"program.h\"\n"), new[:80]
    assert new.count(MARK) == 1
    assert b"gr\xf6\xdfer" in old and b"gr\xf6\xdfer" in new
    assert b"accelerator.backward(loss);" in new
