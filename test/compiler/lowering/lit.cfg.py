# Tests of the lowering, the targets and the bundle, on IR or on C with the plugin.
#
#   %opt        opt with ka's passes (support/pass_plugin.cpp); prints IR
#   %ka-lower   ka-lower: the whole way from IR to an image
#   %ka-emit=   clang with the plugin, writing a product of a C file: %ka-emit=llvm
#   %ka-verify  the same, comparing diagnostics with the expected- comments
#   %spirv-val  the validator, for OpenCL
import os

import lit.formats

config.name = lit_config.params["suite"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".ll"]

build = lit_config.params["build"]
llvm_bin = lit_config.params["llvm_bin"]
plugin = lit_config.params["plugin"]
config.test_source_root = os.path.join(
    lit_config.params["source"], "test", "compiler", config.name)
config.test_exec_root = os.path.join(build, "test", "compiler", config.name)
config.environment["PATH"] = os.pathsep.join([llvm_bin, os.environ["PATH"]])

clang = " ".join([
    os.path.join(llvm_bin, "clang"),
    "-fplugin=" + plugin,
    "-D__KA__=1",
    "-isystem " + os.path.join(lit_config.params["source"], "include"),
])
config.substitutions += [
    ("%opt", os.path.join(llvm_bin, "opt") + " -load-pass-plugin=" + lit_config.params["ka_passes"] + " -S"),
    ("%ka-lower", lit_config.params["ka_lower"]),
    ("%ka-emit=", clang + " -fsyntax-only -fplugin-arg-ka-emit="),
    ("%ka-verify", clang + " -c -o /dev/null -Xclang -verify"),
    ("%spirv-val", "spirv-val --target-env opencl2.2"),
    ("%spirv-dis", "spirv-dis --no-color"),
]
