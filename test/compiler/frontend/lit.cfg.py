# Tests of the Clang plugin by itself. Where its parts are comes from CMakeLists.txt by --param.
#
#   %clang      clang by itself
#   %ka-cc      clang with the plugin and ka's headers, any of clang's options
#   %ka-emit    the same, writing a product to standard output: %ka-emit=metadata
#   %ka-verify  the same, comparing diagnostics with the expected- comments
import os

import lit.formats

config.name = "frontend"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

build = lit_config.params["build"]
llvm_bin = lit_config.params["llvm_bin"]
config.test_exec_root = os.path.join(build, "test", "compiler", "frontend")
config.environment["PATH"] = os.pathsep.join([llvm_bin, os.environ["PATH"]])

clang = " ".join([
    os.path.join(llvm_bin, "clang"),
    "-fplugin=" + lit_config.params["plugin"],
    "-D__KA__=1",
    "-isystem " + os.path.join(lit_config.params["source"], "include"),
])
config.substitutions += [
    ("%clang", os.path.join(llvm_bin, "clang")),
    ("%ka-cc", clang),
    ("%ka-emit=", clang + " -fsyntax-only -fplugin-arg-ka-emit="),
    ("%ka-verify", clang + " -fsyntax-only -Xclang -verify"),
]
