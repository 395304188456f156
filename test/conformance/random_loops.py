#!/usr/bin/env python3
"""Writes programs of random loops over arrays, whose kernels must agree with the host.

    random_loops.py SEED [COUNT] > program.c

One kernel for each of COUNT seeds from SEED on. An item has arrays and structures of its own, a column of
arrays that all items share, and reads a table. Nothing in a program is undefined: sums and products of
integers are taken without sign or cannot overflow, shifts and indices are masked, divisors are
positive, floating-point values stay small. random_loops_campaign.py does this for many seeds.
"""
import random
import sys

BITS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}
INTEGERS = list(BITS)
FLOATS = ["f32", "f64"]
TYPES = INTEGERS + FLOATS + ["bool"]

HEAD = """
#include "check.h"
#include <math.h>
#include <stdint.h>

typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
typedef float f32;
typedef double f64;

static inline f32 small_f32(f32 x) { return x > -1e6f && x < 1e6f ? x : 1.5f; }
static inline f64 small_f64(f64 x) { return x > -1e6 && x < 1e6 ? x : 2.5; }
static inline i32 whole(f64 x) { return (i32)small_f64(x); }

enum { items = 67 };
static u32 state;
static u32 next(void) { return (state = state * 1664525 + 1013904223) >> 7; }
static u64 next_wide(void) { return (u64)next() << 50 ^ (u64)next() << 25 ^ next(); }
static f64 next_float(void) { return (f64)(next() % 4001) / 8 - 250; }
static const u32 table[16] = {1, 0, 0xffffffff, 7, 0x80000000, 12, 255, 256, 65535, 3, 0x7fffffff, 9, 100, 31, 2, 5};
"""

MAIN = """
int main(void) {
%s
  return check_result();
}"""

CHECK = """
static void compare_%(n)s(void) {
  static const size_t groups[] = {1, 7, 64};
  struct data_%(n)s *own = device_memory(items * sizeof *own), expected[items];
%(columns)s
  for (size_t g = 0; g < 3; g++) {
    state = %(n)s;
    memset((void *)own, 0, items * sizeof *own);
    for (int i = 0; i < items; i++)
      fill_%(n)s(&own[i]);
%(fill)s
    memcpy((void *)expected, (const void *)own, sizeof expected);
%(save)s
    KA_CHECK(ka_launch(backend(), ka_with_group(ka_range(items), groups[g]), on_device_%(n)s(own%(pass)s)));
    for (int i = 0; i < items; i++)
      work_%(n)s(&expected[i]%(pass_saved)s, i);
    KA_CHECK(ka_synchronize(backend()));
    u64 hashes[2][items];
    for (int i = 0; i < items; i++)
      hashes[0][i] = hash_%(n)s(&expected[i]), hashes[1][i] = hash_%(n)s(&own[i]);
    CHECK_SAME("own data of seed %(n)s", hashes[0], hashes[1], items);
%(check)s
  }
}"""


class Program:
    def __init__(self, seed):
        self.n = seed
        self.r = random.Random(seed)
        self.names = 0
        self.depth = 0  # of loops
        self.budget = self.r.randint(8, 22)  # of statements
        self.variables = []  # (name, type) of private scalars
        self.arrays = []  # (expression for an element, type), %s is the index
        self.fixed = []  # names of loops' counters, which are only read
        self.helpers = []  # (name, result, parameters)
        self.lines = []
        self.indent = 1
        self.in_helper = False

    # Expressions: each is a value of its type, without effects.

    def pick(self, *choices):
        return self.r.choice(choices)

    def constant(self, t):
        if t in FLOATS:
            return f"({t}){self.r.randint(-400, 400) / 8}"
        if t == "bool":
            return self.pick("true", "false")
        return f"({t}){self.pick(0, 1, 2, 3, 5, 7, 10, 31, 100, 127, 128, 255, 1000, 65535, '0x7fffffff', '0x80000000u', '-1', '-3', '0x123456789abcl')}"

    def index(self, count, depth):
        if self.fixed and self.r.random() < 0.6:
            k = self.r.choice(self.fixed)
            return self.pick(f"({k}) & {count - 1}", f"({k} + {self.r.randint(1, 9)}) & {count - 1}",
                             f"({k} * {self.r.randint(2, 5)}) & {count - 1}")
        return f"({self.integer(self.r.choice(INTEGERS), depth - 1)}) & {count - 1}"

    def element(self, array, depth):
        form, t, count = array
        return form % self.index(count, depth), t

    def leaf(self, t):
        choices = []
        same = [v for v, u in self.variables if u == t]
        if same:
            choices += [self.r.choice(same)] * 3
        if self.variables:
            v, u = self.r.choice(self.variables)
            choices += [self.convert(v, u, t)] * 2
        if self.fixed:
            choices += [self.convert(self.r.choice(self.fixed), "i32", t)] * 2
        choices.append(self.constant(t))
        return self.r.choice(choices)

    @staticmethod
    def convert(v, u, t):
        if u == t:
            return v
        if t in FLOATS:
            return f"small_{t}(({t})({v}))" if u in FLOATS or BITS.get(u, 0) > 16 else f"({t})({v})"
        if t == "bool" or u not in FLOATS:
            return f"({t})({v})"
        return f"({t})whole({v})"

    def value(self, t, depth):
        if t in FLOATS:
            return self.floating(t, depth)
        if t == "bool":
            return self.condition(depth)
        return self.integer(t, depth)

    def any_integer(self, depth):
        return self.integer(self.r.choice(INTEGERS), depth)

    def memory(self, t, depth):
        if not self.arrays:
            return self.leaf(t)
        e, u = self.element(self.r.choice(self.arrays), depth)
        return self.convert(e, u, t)

    def condition(self, depth):
        if depth <= 0:
            return f"({self.leaf('bool')})"
        which = self.r.randrange(6)
        if which == 0:
            return f"({self.condition(depth - 1)} {self.pick('&&', '||')} {self.condition(depth - 1)})"
        if which == 1:
            return f"(!{self.condition(depth - 1)})"
        if which == 2:
            t = self.r.choice(FLOATS)
            return f"({self.floating(t, depth - 1)} {self.pick('<', '>=', '==', '!=')} {self.floating(t, depth - 1)})"
        if which == 3:
            return f"(({self.any_integer(depth - 1)}) & {self.pick(1, 2, 4, 6, 8)})"
        return f"({self.any_integer(depth - 1)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.any_integer(depth - 1)})"

    def integer(self, t, depth):
        if depth <= 0:
            return self.leaf(t) if self.r.random() < 0.7 else self.memory(t, 0)
        w = "u64" if BITS[t] > 32 or self.r.random() < 0.2 else "u32"
        u = self.r.choice(INTEGERS)
        a, b = (lambda: self.any_integer(depth - 1)), (lambda: self.any_integer(depth - 1))
        mask = 63 if BITS[u] == 64 else 31
        which = self.r.randrange(20)
        if which < 5:
            return f"({t})(({w})({a()}) {self.pick('+', '-', '*', '^', '&', '|')} ({w})({b()}))"
        if which == 5:
            return f"({t})(({w})({a()}) << (({b()}) & {63 if w == 'u64' else 31}))"
        if which == 6:
            return f"({t})(({self.integer(u, depth - 1)}) >> (({b()}) & {mask}))"
        if which == 7:
            return f"({t})(({a()}) {self.pick('/', '%')} ((({b()}) & {self.pick(1, 7, 15, 127)}) + 1))"
        if which == 8:
            return f"({t})(({a()}) {self.pick('/', '%')} {self.pick(2, 3, 7, 10, 16, 100, 255)})"
        if which == 9:
            return f"({t}){self.condition(depth - 1)}"
        if which == 10:
            return f"({self.condition(depth - 1)} ? {self.integer(t, depth - 1)} : {self.integer(t, depth - 1)})"
        if which == 11:
            return f"({t})~({a()})"
        if which == 12:
            return f"({t})((i32)(({a()}) & 0xff) * (i32)(({b()}) & 0x7f) - (i32)(({a()}) & 0xfff))"
        if which == 13:
            return self.convert(self.floating("f64", depth - 1), "f64", t)
        if which == 14:
            return self.pick(f"({t})__builtin_popcountl({self.integer('u64', depth - 1)})",
                             f"({t})__builtin_clz({self.integer('u32', depth - 1)} | 1u)",
                             f"({t})__builtin_ctzl({self.integer('u64', depth - 1)} | (1ul << 63))",
                             f"({t})__builtin_bswap32({self.integer('u32', depth - 1)})")
        if which == 15 and self.helpers:
            return self.call(t, depth)
        if which == 16:
            v, x = self.leaf("u32"), self.leaf("u32")
            return f"({t})(({v}) << (({x}) & 31) | ({v}) >> (-({x}) & 31))"
        if which == 17:
            v, x = self.leaf(u), self.leaf(u)
            return f"({t})(({v}) {self.pick('<', '>')} ({x}) ? ({v}) : ({x}))"
        return self.memory(t, depth - 1)

    def floating(self, t, depth):
        if depth <= 0:
            return self.leaf(t) if self.r.random() < 0.7 else self.memory(t, 0)
        which = self.r.randrange(9)
        if which < 3:
            return f"small_{t}({self.floating(t, depth - 1)} {self.pick('+', '-', '*')} {self.floating(t, depth - 1)})"
        if which == 3:
            return f"({self.floating(t, depth - 1)} / ({t})((({self.any_integer(depth - 1)}) & 15) + 1))"
        if which == 4:
            return self.convert(self.any_integer(depth - 1), "i64", t)
        if which == 5:
            return f"({self.condition(depth - 1)} ? {self.floating(t, depth - 1)} : {self.floating(t, depth - 1)})"
        if which == 6:
            s = "f" if t == "f32" else ""
            return self.pick(f"fabs{s}(%s)", f"floor{s}(%s)", f"trunc{s}(%s)", f"sqrt{s}(fabs{s}(%s))", "(-%s)") % self.floating(t, depth - 1)
        if which == 7:
            return self.convert(self.floating(self.r.choice(FLOATS), depth - 1), "f64", t)
        return self.memory(t, depth - 1)

    def call(self, t, depth):
        name, result, parameters = self.r.choice(self.helpers)
        arguments = []
        for p in parameters:
            if p == "record":
                arguments.append(f"d->r[{self.index(4, depth)}]")
            elif p == "pointer":
                arguments.append(self.pick("d->a0", "d->a1") if self.array_types[0] == self.array_types[1] else "d->a0")
            else:
                arguments.append(self.value(p, depth - 2))
        return self.convert(f"{name}({', '.join(arguments)})", result, t)

    # Statements.

    def say(self, line):
        self.lines.append("  " * self.indent + line)

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def place(self):
        """Something to assign to, and its type."""
        if self.arrays and self.r.random() < 0.6:
            writable = [a for a in self.arrays if not a[0].startswith(("table", "q"))]
            if writable:
                return self.element(self.r.choice(writable), 1)
        return self.r.choice(self.variables)

    def assign(self):
        place, t = self.place()
        if t in INTEGERS and BITS[t] <= 16 and self.r.random() < 0.3:
            # In int, which holds all results.
            self.say(f"{place} {self.pick('+=', '-=', '^=', '|=', '&=')} {self.value(self.pick('i8', 'u8', 'i16'), 2)};")
        elif t in ("u32", "u64", "u8") and self.r.random() < 0.4:
            self.say(f"{place} {self.pick('+=', '-=', '*=', '^=', '|=', '&=')} {self.value(self.pick('u8', 'u16', t), 2)};")
        elif t in ("u32", "u64", "u16", "u8") and self.r.random() < 0.1:
            self.say(f"{place}{self.pick('++', '--')};")
        else:
            self.say(f"{place} = {self.value(t, self.r.randint(1, 3))};")

    def declare(self):
        t = self.r.choice(TYPES)
        v = self.name("v")
        self.say(f"{t} {v} = {self.value(t, 2)};")
        self.variables.append((v, t))

    def block(self, most):
        """In braces; what it declares ends with it."""
        variables, arrays = len(self.variables), len(self.arrays)
        self.indent += 1
        for _ in range(self.r.randint(1, most)):
            self.statement()
        self.indent -= 1
        del self.variables[variables:], self.arrays[arrays:]

    def loop(self):
        k = self.name("k")
        self.depth += 1
        turns = self.pick(3, 4, 8, 13) if self.depth == 1 else self.pick(2, 3, 5)
        bound = str(turns) if self.r.random() < 0.5 else f"(i32)(({self.any_integer(1)}) & {self.pick(3, 7)})"
        kind = self.r.randrange(5)
        if kind == 0:
            self.say(f"for (i32 {k} = {bound}; {k} > 0; {k} -= {self.pick(1, 2)}) {{")
        elif kind == 1:
            self.say(f"for (i32 {k} = {self.r.randint(-2, 2)}; {k} < {bound}; {k} += {self.pick(1, 1, 2, 3)}) {{")
        elif kind == 2:
            self.say(f"i32 {k} = 0;")
            self.say(f"while ({k}++ < {turns} && {self.condition(1)}) {{")
        elif kind == 3:
            self.say(f"i32 {k} = 0;")
            self.say("do {")
        else:
            self.say(f"for (u8 {k} = 0; {k} < {turns}; {k}++) {{")
        self.fixed.append(k)
        if self.r.random() < 0.35:
            self.indent += 1
            self.say(f"if ({self.condition(2)})")
            self.say(f"  {self.pick('break', 'continue')};")
            self.indent -= 1
        self.block(3)
        self.fixed.pop()
        self.say(f"}} while (++{k} < {turns} && {self.condition(1)});" if kind == 3 else "}")
        self.depth -= 1

    def reduction(self):
        t = self.r.choice(["u32", "u64", "u8", "i32", "f32", "f64", "i16", "bool"])
        s, k = self.name("s"), self.name("k")
        self.say(f"{t} {s} = {self.constant(t)};")
        self.say(f"for (i32 {k} = 0; {k} < {self.pick(4, 8, 16)}; {k}++)")
        self.fixed.append(k)
        e = self.value(t, 2)
        if t in FLOATS:
            update = f"{s} = small_{t}({s} {self.pick('+', '-')} {e})"
        elif t == "bool":
            update = f"{s} {self.pick('|=', '&=', '^=')} {e}"
        elif t in ("i32", "i16"):
            update = self.pick(f"{s} = {s} > {e} ? {s} : {e}", f"{s} ^= {e}", f"{s} = ({t})((u32){s} * 31u + (u32)({e}))")
        else:
            update = f"{s} {self.pick('+=', '^=', '-=', '*=')} {e}"
        self.fixed.pop()
        self.say(f"  {update};")
        self.variables.append((s, t))

    def branch(self):
        self.say(f"if ({self.condition(2)}) {{")
        self.block(3)
        if self.r.random() < 0.5:
            self.say("} else {")
            self.block(2)
        self.say("}")

    def choice(self):
        self.say(f"switch (({self.any_integer(2)}) & {self.pick(3, 7)}) {{")
        for c in self.r.sample(range(8), self.r.randint(1, 4)):
            self.say(f"case {c}: {{")
            self.block(2)
            self.say("}" + self.pick(" break;", " break;", " // falls through"))
        if self.r.random() < 0.6:
            self.say("default: {")
            self.block(1)
            self.say("}")
        else:
            self.say("default:;")
        self.say("}")

    def private_array(self):
        t, a = self.r.choice(TYPES), self.name("p")
        self.say(f"{t} {a}[8] = {{{', '.join(self.value(t, 1) for _ in range(self.r.randint(1, 4)))}}};")
        self.arrays.append((f"{a}[%s]", t, 8))

    def structures(self):
        if self.in_helper:
            return self.assign()
        k, l = self.index(4, 1), self.index(4, 1)
        which = self.r.randrange(4)
        if which == 0:
            self.say(f"d->r[{k}] = d->r[{l}];")
        elif which == 1:
            v = self.name("w")
            self.say(f"struct record_{self.n} {v} = d->r[{k}];")
            self.say(f"{v}.{self.fields[0][0]} = {self.value(self.fields[0][1], 2)};")
            self.say(f"d->r[{l}] = {v};")
        elif which == 2:
            self.say(f"d->r[{k}] = changed_{self.n}(d->r[{l}], {self.integer('i32', 2)});")
        else:
            f, t = self.fields[0]
            self.say(f"d->r[{k}].{f} = {self.value(t, 2)};")

    def statement(self):
        self.budget -= 1
        which = self.r.randrange(16)
        if self.budget > 0 and self.depth < 3:
            if which < 3:
                return self.loop()
            if which == 3:
                return self.branch()
            if which == 4:
                return self.choice()
            if which == 5:
                return self.reduction()
            if which == 6:
                return self.private_array()
            if which == 7:
                return self.structures()
            if which == 8:
                return self.branch()
        if which == 9:
            return self.declare()
        return self.assign()

    # What a program is made of.

    def data(self):
        self.array_types = [self.r.choice(TYPES) for _ in range(4)]
        self.columns = [self.r.choice(INTEGERS + FLOATS) for _ in range(self.r.randint(1, 3))]
        self.fields = []
        lines = [f"struct record_{self.n} {{"]
        for k in range(self.r.randint(2, 6)):
            t = self.r.choice(TYPES)
            self.fields.append((f"f{k}", t))
            lines.append(f"  {t} f{k};")
        for k in range(self.r.choice([0, 0, 2, 4])):
            t = self.pick("u32", "i32", "u64", "u16")
            self.fields.insert(0, (f"b{k}", t))
            lines.append(f"  {t} b{k} : {self.r.randint(1, BITS[t])};")
        if self.r.random() < 0.3:
            lines.append("} __attribute__((packed));")
        else:
            lines.append("};")
        lines.append(f"struct data_{self.n} {{")
        for k, t in enumerate(self.array_types):
            lines.append(f"  {t} a{k}[8];")
        lines += [f"  struct record_{self.n} r[4];", "};"]
        return lines

    def fill(self):
        def random_of(t):
            if t in FLOATS:
                return f"({t})next_float()"
            return "next() & 1" if t == "bool" else f"({t})next_wide()"
        lines = [f"static void fill_{self.n}(struct data_{self.n} *d) {{", "  for (int k = 0; k < 8; k++) {"]
        lines += [f"    d->a{k}[k] = {random_of(t)};" for k, t in enumerate(self.array_types)]
        lines += ["  }", "  for (int k = 0; k < 4; k++) {"]
        lines += [f"    d->r[k].{f} = {random_of(t)};" for f, t in self.fields]
        lines += ["  }", "}", f"static u64 hash_{self.n}(const struct data_{self.n} *d) {{", "  u64 h = 0, bits;"]

        def mix(e, t):
            if t in FLOATS:
                return f"bits = 0, memcpy(&bits, &{e}, sizeof {e}), h = h * 31 + bits;"
            return f"h = h * 31 + (u64){e};"
        lines.append("  for (int k = 0; k < 8; k++) {")
        lines += ["    " + mix(f"d->a{k}[k]", t) for k, t in enumerate(self.array_types)]
        lines += ["  }", "  for (int k = 0; k < 4; k++) {"]
        for f, t in self.fields:
            if t in FLOATS:  # a member of a packed structure may lie anywhere
                lines.append(f"    {{ {t} v = d->r[k].{f}; {mix('v', t)} }}")
            else:
                lines.append("    " + mix(f"d->r[k].{f}", t))
        return lines + ["  }", "  return h;", "}"]

    def helper(self, number):
        parameters = [self.r.choice(TYPES + ["record", "pointer"]) for _ in range(self.r.randint(1, 4))]
        result = self.r.choice(TYPES)
        name = f"help{number}_{self.n}"
        saved = self.budget, self.lines, self.variables, self.arrays, self.fixed, self.helpers
        self.budget, self.lines, self.variables, self.arrays, self.fixed, self.helpers = self.r.randint(2, 5), [], [], [("table[%s]", "u32", 16)], [], []
        self.in_helper = True
        declared = []
        for k, p in enumerate(parameters):
            if p == "record":
                declared.append(f"struct record_{self.n} x{k}")
                self.variables += [(f"x{k}.{f}", t) for f, t in self.fields]
            elif p == "pointer":
                declared.append(f"const {self.array_types[0]} *q{k}")
                self.arrays.append((f"q{k}[%s]", self.array_types[0], 8))
            else:
                declared.append(f"{p} x{k}")
                self.variables.append((f"x{k}", p))
        if not self.variables:
            declared.append("i32 y")
            parameters.append("i32")
            self.variables.append(("y", "i32"))
        for _ in range(self.r.randint(1, 3)):
            self.statement()
            if self.r.random() < 0.3:
                self.say(f"if ({self.condition(2)})")
                self.say(f"  return {self.value(result, 2)};")
        self.say(f"return {self.value(result, 2)};")
        body = self.lines
        self.budget, self.lines, self.variables, self.arrays, self.fixed, self.helpers = saved
        self.in_helper = False
        self.helpers.append((name, result, parameters))
        return [f"static {result} {name}({', '.join(declared)}) {{", *body, "}"]

    def text(self):
        n = self.n
        lines = self.data() + self.fill()
        f, t = self.fields[self.r.randrange(len(self.fields))]
        change = {"f32": "small_f32(r.%s + (f32)(x & 15))", "f64": "small_f64(r.%s - (x & 7))", "bool": "!r.%s"}.get(t, "(u32)r.%s * 3u + (u32)x") % f
        lines += [f"static struct record_{n} changed_{n}(struct record_{n} r, i32 x) {{",
                  f"  if (x & 4)\n    return r;\n  r.{f} = ({t})({change});\n  return r;\n}}"]
        for k in range(self.r.randint(0, 2)):
            lines += self.helper(k)
        self.arrays = [(f"d->a{k}[%s]", t, 8) for k, t in enumerate(self.array_types)]
        self.arrays += [(f"c{k}[((%s)) * items + i]", t, 8) for k, t in enumerate(self.columns)]
        self.arrays += [("d->r[%s]." + f, t, 4) for f, t in self.fields]
        self.arrays.append(("table[%s]", "u32", 16))
        self.fixed = ["i"]
        for t in self.r.sample(TYPES, 3):
            v = self.name("v")
            self.say(f"{t} {v} = {self.value(t, 1)};")
            self.variables.append((v, t))
        while self.budget > 0:
            self.statement()
        for v, t in self.variables:
            a = self.r.randrange(4)
            self.say(f"d->a{a}[{self.r.randrange(8)}] = {self.convert(v, t, self.array_types[a])};")
        columns = "".join(f", {t} *c{k}" for k, t in enumerate(self.columns))
        lines += [f"static void work_{n}(struct data_{n} *d{columns}, i32 i) {{", *self.lines, "}"]
        names = [f"c{k}" for k in range(len(self.columns))]
        lines += [f"[[ka::kernel]] void on_device_{n}(struct data_{n} *all{columns}) {{",
                  "  i32 i = (i32)ka_global_id(0);",
                  f"  work_{n}(&all[i]{''.join(', ' + c for c in names)}, i);", "}"]

        def each(form):
            return "\n".join(form % {"c": f"c{k}", "t": t, "value": "next_float()" if t in FLOATS else "next_wide()"} for k, t in enumerate(self.columns))
        lines.append(CHECK % {
            "n": n,
            "columns": each("  %(t)s *%(c)s = device_memory(8 * items * sizeof *%(c)s), %(c)s_expected[8 * items];"),
            "fill": each("    for (int k = 0; k < 8 * items; k++)\n      %(c)s[k] = (%(t)s)%(value)s;"),
            "save": each("    memcpy(%(c)s_expected, %(c)s, sizeof %(c)s_expected);"),
            "pass": "".join(f", {c}" for c in names),
            "pass_saved": "".join(f", {c}_expected" for c in names),
            "check": each(f"    CHECK_SAME(\"%(c)s of seed {n}\", %(c)s_expected, %(c)s, 8 * items);")})
        return "\n".join(lines)


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print(HEAD)
    for seed in range(first, first + count):
        print(Program(seed).text())
    print(MAIN % "\n".join(f"  compare_{seed}();" for seed in range(first, first + count)))


if __name__ == "__main__":
    main()
