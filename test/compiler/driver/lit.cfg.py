# Tests of kacc as a driver. Where its parts are comes from CMakeLists.txt by --param.
import os
import sys

import lit.formats

config.name = "driver"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".c", ".cpp"]
config.excludes = ["Inputs", "clang_options_test.cpp"]
config.test_source_root = os.path.dirname(__file__)

build = lit_config.params["build"]
llvm_bin = lit_config.params["llvm_bin"]
config.test_exec_root = os.path.join(build, "test", "compiler", "driver")
config.environment["PATH"] = os.pathsep.join([llvm_bin, os.environ["PATH"]])
for name in ["POCL_CACHE_DIR", "HOME", "XDG_CACHE_HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%kaccxx", os.path.join(build, "bin", "kacc++")),
    ("%kacc", os.path.join(build, "bin", "kacc")),
    ("%libdir", lit_config.params["libdir"]),
    ("%plugin", os.path.join(build, "lib", "ka", "ka-clang.so")),
    ("%clang", os.path.join(llvm_bin, "clang")),
    ("%cmake", lit_config.params["cmake"]),
    ("%python", sys.executable),
]
