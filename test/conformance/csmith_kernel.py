#!/usr/bin/env python3
"""Makes of a program by csmith one that runs its functions in a kernel as well as on the host.

    csmith --seed 1 | csmith_kernel.py > program.c

csmith's functions share global variables, which kernels cannot. So the globals become members of one
structure, and each function gets a pointer to it. Work-items and host start from equal structures;
csmith's own checksum is then taken of each. docs/testing.md says how to run many.
"""
import re
import sys

MAIN = """
static void initialise(struct globals *G) {
  struct globals first = {
%(initialisers)s
  };
  memcpy((void *)G, (const void *)&first, sizeof first);
}
static void checksum(struct globals *G) {
%(checksum)s
}
[[ka::kernel]] void on_device(struct globals *all) {
  struct globals *G = &all[ka_global_id(0)];
  (void)%(entry)s(G);
}
int main(int argc, char **argv) {
  enum { items = 3 };
  struct globals *G = device_memory((items + 1) * sizeof *G);
  for (int i = 0; i <= items; i++)
    initialise(&G[i]);
  (void)%(entry)s(&G[items]);
  checksum(&G[items]);
  unsigned expected = crc32_context;
  KA_CHECK(ka_launch(backend(), ka_with_group(ka_range(items), 2), on_device(G)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < items; i++) {
    checksum(&G[i]);
    CHECK_SAME("checksum", &expected, &crc32_context, 1);
  }
  return check_result();
}"""


def with_globals(line):
    """A declaration, or the first line of a definition, of a function."""
    line = re.sub(r"\b(func_\d+)\(void\)", r"\1(struct globals *G)", line)
    return re.sub(r"\b(func_\d+)\((?!struct globals \*G\))", r"\1(struct globals *G, ", line)


def passing_globals(line):
    line = re.sub(r"\b(func_\d+)\(\)", r"\1(G)", line)
    return re.sub(r"\b(func_\d+)\((?!G\))", r"\1(G, ", line)


def convert(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    head, rest = text.split("static long __undefined;")
    begin = rest.index("int main")
    body, main = rest[:begin], rest[begin:]
    members, initialisers, names, code, depth = [], [], set(), [], 0
    for line in body.split("\n"):
        variable = re.match(r"static (.*?)\b(g_\d+)((?:\[\d+\])*)\s*=\s*(.*);\s*$", line)
        if variable and depth == 0:
            type_, name, dimensions, value = variable.groups()
            members.append(f"  {type_}{name}{dimensions};")
            initialisers.append(f"    .{name} = " + re.sub(r"&(g_\d+)", r"&G->\1", value) + ",")
            names.add(name)
            continue
        declares = depth == 0 and re.match(r"static .*\bfunc_\d+\(", line)
        code.append(with_globals(line) if declares else passing_globals(line))
        depth += line.count("{") - line.count("}")

    def use(code):
        return re.sub(r"\b(g_\d+)\b", lambda m: f"(G->{m[1]})" if m[1] in names else m[1], code)

    code = "\n".join(code)
    first = re.search(r"^static .*\bfunc_\d+\(", code, re.M).start()
    entry = re.search(r"\b(func_\d+)\(\);", main)[1]
    check = main[main.index("{") + 1:main.rindex("}")].replace(f"{entry}();", "", 1)
    check = re.sub(r"^.*(platform_main_(begin|end)|argc == 2|return 0;).*$", "", check, flags=re.M)
    check = check.replace("crc32_gentab();", "crc32_gentab(); crc32_context = 0xFFFFFFFFUL;")
    return "\n".join([
        '#include "check.h"', head, "static long __undefined;", code[:first],
        "struct globals {", *members, "};", use(code[first:]),
        MAIN % {"entry": entry, "initialisers": "\n".join(initialisers), "checksum": use(check)}])


if __name__ == "__main__":
    print(convert(sys.stdin.read()))
