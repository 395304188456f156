#!/usr/bin/env python3
"""Writes a C program that sends structures of random layouts to kernels and back.

    layouts.py SEED > program.c

Members are of all types that kernels take, nested, packed, over-aligned, bit-fields, arrays, unions.
For each structure a kernel reports sizes, alignments and offsets, and stores, from an argument by
value and from memory, every member as a number; it then writes other values into every member of a
copy. The host does the same in plain C.
"""
import random
import sys

STRUCTS = 14
SCALARS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
           "unsigned long", "long long", "float", "double", "bool", "enum colour", "_BitInt(13)",
           "unsigned _BitInt(40)", "_BitInt(64)"]
VECTORS = ["float2", "float3", "int4", "double2", "char3", "short8", "long4"]
LENGTH = {"float2": 2, "float3": 3, "int4": 4, "double2": 2, "char3": 3, "short8": 8, "long4": 4}
BIT_TYPES = {"int": 32, "unsigned": 32, "unsigned char": 8, "short": 16, "long": 64, "unsigned long": 64,
             "bool": 1}


class Struct:
    def __init__(self, name):
        self.name, self.text, self.leaves, self.offsets, self.has_pointer = name, "", [], [], False


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.known = []

    def number(self, low, high):
        return self.random.randint(low, high)

    def member(self, s, name):
        """Text of one member; adds what can be read and written of it."""
        kind = self.random.random()
        align = f"_Alignas({self.random.choice([8, 16, 32, 64])}) " if self.number(0, 11) == 0 else ""
        if kind < 0.22:
            type_ = self.random.choice(list(BIT_TYPES))
            width = self.number(1, BIT_TYPES[type_])
            s.leaves.append((name, "bits"))
            text = f"{type_} {name} : {width};"
            return text + (f" {type_} : 0;" if self.number(0, 7) == 0 else "")
        s.offsets.append(name)
        if kind < 0.55:
            s.leaves.append((name, "number"))
            return f"{align}{self.random.choice(SCALARS)} {name};"
        if kind < 0.67:
            dims = [self.number(1, 4) for _ in range(self.number(1, 2))]
            for at in range(dims[0]):
                s.leaves.append((f"{name}[{at}]" + f"[{at % dims[-1]}]" * (len(dims) - 1), "number"))
            return f"{align}{self.random.choice(SCALARS)} {name}{''.join(f'[{d}]' for d in dims)};"
        if kind < 0.76:
            type_ = self.random.choice(VECTORS)
            s.leaves += [(f"{name}[{k}]", "number") for k in range(LENGTH[type_])]
            return f"{type_} {name};"
        if kind < 0.81:
            s.leaves += [(f"__real__ {name}", "part"), (f"__imag__ {name}", "part")]
            return f"{self.random.choice(['float', 'double'])} _Complex {name};"
        if kind < 0.87:
            s.leaves.append((name, "pointer"))
            return f"{self.random.choice(['int', 'const char', 'void', 'struct nowhere'])} *{name};"
        if kind < 0.92:
            inner = self.random.choice(SCALARS)
            s.leaves.append((f"{name}.second", "number"))
            return f"union {{ {self.random.choice(SCALARS)} first; {inner} second; char c[{self.number(1, 9)}]; }} {name};"
        if not self.known:
            s.leaves.append((name, "number"))
            return f"int {name};"
        other = self.random.choice(self.known)
        array = self.number(0, 2) == 0
        at = "[1]" if array else ""
        s.leaves += [(f"__{l[2:8]} {name}{at}.{l[9:]}" if kind == "part" else f"{name}{at}.{l}", kind)
                     for l, kind in other.leaves[:12]]
        return f"struct {other.name} {name}{'[2]' if array else ''};"

    def struct(self, number):
        s = Struct(f"s{number}")
        packed = self.random.choice(["", "", "", "__attribute__((packed)) ", "__attribute__((aligned(32))) "])
        lines = [self.member(s, f"m{k}") for k in range(self.number(1, 9))]
        if not s.offsets:
            s.offsets.append("last")
            s.leaves.append(("last", "number"))
            lines.append("short last;")
        s.text = f"struct {packed}{s.name} {{\n  " + "\n  ".join(lines) + "\n};"
        self.known.append(s)
        return s


def path(leaf, base):
    if leaf.startswith("__"):
        return f"{leaf[:8]} {base}.{leaf[9:]}"
    return f"{base}.{leaf}"


def program(seed):
    writer = Writer(seed)
    structs = [writer.struct(k) for k in range(STRUCTS)]
    print('#include "check.h"\n#include <stddef.h>\n#include <stdint.h>')
    print("enum colour { RED, GREEN = 7, BLUE = -3 };\nstruct nowhere;")
    for name, n in LENGTH.items():
        print(f"typedef {name.rstrip('0123456789')} {name} __attribute__((ext_vector_type({n})));")
    for s in structs:
        t, n = f"struct {s.name}", s.name
        print(s.text)
        count = len(s.leaves)
        print(f"enum {{ facts_{n} = {2 + len(s.offsets)}, leaves_{n} = {count} }};")
        print(f"static void describe_{n}(size_t *o) {{\n  *o++ = sizeof({t});\n  *o++ = _Alignof({t});")
        for o in s.offsets:
            print(f"  *o++ = offsetof({t}, {o});")
        print("}")
        print(f"static void read_{n}(double *o, const {t} *s) {{")
        for leaf, kind in s.leaves:
            value = path(leaf, "(*s)")
            print(f"  *o++ = (double)(intptr_t){value};" if kind == "pointer" else f"  *o++ = (double)({value});")
        print("}")
        print(f"static void write_{n}({t} *s, int v) {{")
        for k, (leaf, kind) in enumerate(s.leaves):
            value = f"(v * {k * 7 + 3} + {k}) % 101"
            if kind == "pointer":
                value = f"(void *)(intptr_t)({value})"
            print(f"  {path(leaf, '(*s)')} = {value};")
        print("}")
        print(f"[[ka::kernel]] void kernel_{n}(size_t *facts, double *by_value, double *from_memory, {t} *to, "
              f"{t} s, const {t} *from, char shift) {{")
        print(f"  size_t i = ka_global_id(0);\n  describe_{n}(facts);\n  read_{n}(by_value, &s);")
        print(f"  read_{n}(from_memory + i * leaves_{n}, &from[i]);\n  to[i] = from[i];")
        print(f"  write_{n}(&to[i], (int)i + shift);\n}}")
        print(f"""static void check_{n}(void) {{
  enum {{ items = 3 }};
  size_t *facts = device_memory(facts_{n} * sizeof *facts), expected_facts[facts_{n}];
  double *by_value = device_memory(leaves_{n} * sizeof(double)), expected[leaves_{n}], again[leaves_{n}];
  double *from_memory = device_memory(items * leaves_{n} * sizeof(double));
  {t} *from = device_memory(items * sizeof *from), *to = device_memory(items * sizeof *to), s, e;
  memset(&s, 0, sizeof s);
  write_{n}(&s, 41);
  for (int i = 0; i < items; i++)
    write_{n}(&from[i], i + 5);
  KA_CHECK(ka_launch(backend(), ka_range(items), kernel_{n}(facts, by_value, from_memory, to, s, from, 9)));
  KA_CHECK(ka_synchronize(backend()));
  describe_{n}(expected_facts);
  CHECK_SAME("layout of {n}", expected_facts, facts, facts_{n});
  read_{n}(expected, &s);
  CHECK_SAME("{n} by value", expected, by_value, leaves_{n});
  for (int i = 0; i < items; i++) {{
    read_{n}(expected, &from[i]);
    CHECK_SAME("{n} from memory", expected, from_memory + i * leaves_{n}, leaves_{n});
    memset(&e, 0, sizeof e);
    memcpy(&e, &from[i], sizeof e);
    write_{n}(&e, i + 9);
    read_{n}(expected, &e);
    read_{n}(again, &to[i]);
    CHECK_SAME("{n} written", expected, again, leaves_{n});
  }}
}}""")
    print("int main(void) {")
    for s in structs:
        print(f"  check_{s.name}();")
    print("  return check_result();\n}")


if __name__ == "__main__":
    program(int(sys.argv[1]))
