"""forget_backward.py IN OUT: a rewritten program in which accelerator.backward was forgotten."""

import sys

text = open(sys.argv[1]).read()
assert text.count("accelerator.backward(loss);") == 1
open(sys.argv[2], "w").write(text.replace("accelerator.backward(loss);", "loss.backward();"))
