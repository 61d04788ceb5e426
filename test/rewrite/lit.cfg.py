"""How lit runs the tests of accel-rewrite. Each test is a small program and, at its end, the lines that the tool changes in it."""

import os
import tempfile

import lit.formats

config.name = "accel-rewrite"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = config.source_dir
config.test_exec_root = config.binary_dir
config.environment["LC_ALL"] = "C.UTF-8"
# A build folder within this project's own checkout is no part of it: `git apply` would pass over what lies there.
config.environment["GIT_CEILING_DIRECTORIES"] = os.path.realpath(config.binary_dir)
# For LLVM's `count`.
config.environment["PATH"] = config.llvm_tools + ":" + config.environment.get("PATH", "/usr/bin:/bin")

# Every changed line has to be checked: `--- a/…` and `+++ b/…` aside, nothing else may begin with + or -.
changes = f"{config.filecheck} --match-full-lines --implicit-check-not='{{{{^[-+][^-+].*}}}}'"
config.substitutions += [
    # For what must not lie below the build folder, which has compile commands. A test that makes it removes it.
    ("%outside", os.path.join(tempfile.gettempdir(), f"accel-rewrite-{os.getpid()}")),
    ("%changes", changes),
    ("%FileCheck", config.filecheck),
    ("%exits", f"{config.python} -B {config.source_dir}/exits.py"),
    ("%accel-rewrite", config.accel_rewrite),
    ("%torch", config.torch_flags),
    ("%examples", config.examples),
    ("%python", config.python),
    ("%docs", config.docs),
    ("%runtime", config.runtime_headers),
]
