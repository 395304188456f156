"""Checks that a program for fault injection calls every function that headers have for programs:
whole_program_api.py <program.c>... <header>..."""

import re
import sys

# Not for programs to call: what only compiled files call, or what ends the process.
OTHERS = {"ka__module_register", "ka__module_unregister", "ka__kernel_called", "ka__check"}
# What a macro calls.
MACROS = {"ka_launch_tuple": "ka__launch_packed", "ka_tuple": "ka__launch_arguments"}

sources = [name for name in sys.argv[1:] if name.endswith(".c")]
program = set()
for source in sources:
    with open(source, encoding="utf-8") as file:
        program |= set(re.findall(r"\bka_\w+(?=\()", file.read()))
program |= {MACROS[name] for name in program & MACROS.keys()}
declared = set()
for header in sys.argv[1 + len(sources):]:
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    declared |= set(re.findall(r"^KA_API [^;(]*?\b(ka_\w+)\(", text, re.M))
if len(declared) < 15:
    sys.exit("no functions were found in the headers")
missing = sorted(declared - program - OTHERS)
if missing:
    sys.exit("call these in " + sources[0] + ", so that they are tested with everything inside "
             "them failing: " + ", ".join(missing))
