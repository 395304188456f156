#!/usr/bin/env python3
"""Makes of programs by csmith one that runs their functions in kernels as well as on the host.

    csmith --seed 1 > 1.c; csmith --seed 2 > 2.c
    csmith_kernel.py 1.c 2.c > program.c

csmith's functions share global variables, which kernels cannot. So the globals become members of one
structure, and each function gets a pointer to it. Work-items and host start from equal structures;
csmith's own checksum is then taken of each. `program host` runs the functions on the host only.
csmith_campaign.py does this for many seeds.
"""
import re
import sys

HEAD = """
#include "check.h"
#include "csmith.h"
static long __undefined;
static int host_only;"""

PROGRAM = """
static void initialise(struct globals *G) {
  struct globals first = {
%(initialisers)s
  };
  memcpy((void *)G, (const void *)&first, sizeof first);
}
static void checksum(struct globals *G) {
  crc32_context = 0xFFFFFFFFUL;
%(checksum)s
}
[[ka::kernel]] void on_device(struct globals *all) {
  struct globals *G = &all[ka_global_id(0)];
  (void)%(entry)s(G);
}
static void compare(void) {
  enum { items = 3 };
  const size_t bytes = (items + 1) * sizeof(struct globals);
  struct globals *G = (struct globals *)(host_only ? malloc(bytes) : device_memory(bytes));
  for (int i = 0; i <= items; i++)
    initialise(&G[i]);
  (void)%(entry)s(&G[items]);
  checksum(&G[items]);
  unsigned expected = crc32_context;
  if (host_only)
    return;
  KA_CHECK(ka_launch(backend(), ka_with_group(ka_range(items), 2), on_device(G)));
  KA_CHECK(ka_synchronize(backend()));
  for (int i = 0; i < items; i++) {
    checksum(&G[i]);
    CHECK_SAME("checksum of %(name)s", &expected, &crc32_context, 1);
  }
}"""

MAIN = """
int main(int argc, char **argv) {
  host_only = argc > 1 && strcmp(argv[1], "host") == 0;
  crc32_gentab();
%(calls)s
  return check_result();
}"""


def with_globals(line):
    """A declaration, or the first line of a definition, of a function."""
    line = re.sub(r"\b(func_\d+)\(void\)", r"\1(struct globals *G)", line)
    return re.sub(r"\b(func_\d+)\((?!struct globals \*G\))", r"\1(struct globals *G, ", line)


def passing_globals(line):
    line = re.sub(r"\b(func_\d+)\(\)", r"\1(G)", line)
    return re.sub(r"\b(func_\d+)\((?!G\))", r"\1(G, ", line)


def convert(text, name):
    """What one program becomes, without the names that it shares with others."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    rest = text.split("static long __undefined;")[1]
    begin = rest.index("int main")
    body, main = rest[:begin], rest[begin:]
    members, initialisers, names, code, depth = [], [], set(), [], 0
    for line in body.split("\n"):
        variable = re.match(r"static (.*?)\b(g_\d+)((?:\[\d+\])*)\s*=\s*(.*);\s*$", line)
        if variable and depth == 0:
            type_, global_, dimensions, value = variable.groups()
            members.append(f"  {type_}{global_}{dimensions};")
            initialisers.append(f"    .{global_} = " + re.sub(r"&(g_\d+)", r"&G->\1", value) + ",")
            names.add(global_)
            continue
        declares = depth == 0 and re.match(r"(inline )?static .*\bfunc_\d+\(", line)
        code.append(with_globals(line) if declares else passing_globals(line))
        depth += line.count("{") - line.count("}")

    def use(code):
        return re.sub(r"\b(g_\d+)\b", lambda m: f"(G->{m[1]})" if m[1] in names else m[1], code)

    code = "\n".join(code)
    first = re.search(r"^(inline )?static .*\bfunc_\d+\(", code, re.M).start()
    entry = re.search(r"\b(func_\d+)\(\);", main)[1]
    check = main[main.index("{") + 1:main.rindex("}")].replace(f"{entry}();", "", 1)
    leave_out = r"^.*(platform_main_(begin|end)|crc32_gentab|argc == 2|return 0;).*$"
    check = re.sub(leave_out, "", check, flags=re.M)
    return "\n".join([
        code[:first], "struct globals {", *members, "};", use(code[first:]),
        PROGRAM % {"entry": entry, "initialisers": "\n".join(initialisers), "checksum": use(check), "name": name}])


def main():
    print(HEAD)
    shared = r"\b(func_\d+|[SU]\d+|globals|initialise|checksum|on_device|compare)\b(?! of )"
    calls = []
    for number, name in enumerate(sys.argv[1:]):
        with open(name) as file:
            program = convert(file.read(), re.sub(r".*/|\.\w+$", "", name))
        print(re.sub(shared, rf"\1_{number}", program))
        calls.append(f"  compare_{number}();")
    print(MAIN % {"calls": "\n".join(calls)})


if __name__ == "__main__":
    main()
