#!/usr/bin/env python3
"""Writes a C program of random kernels with barriers, to be compared with plain C.

    random_barriers.py SEED > program.c

Each kernel is written twice: for the device, and for the host with a loop over the items of a group
around every statement between barriers. Items share the conditions around barriers and differ in
all others. A value crosses items only through group memory, between two barriers. Each kernel runs
on ranges that its groups divide and on others: items that do not exist leave zeros behind. Half of
them have assertions, which hold.
"""
import random
import sys

GROUP = 32
KERNELS = 12
SIZES = [1, 31, 32, 33, 100, 160]
PRIVATE = ["a", "b", "c"]


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.uniform = []  # loop counters that all items share, in scope
        self.own = []  # those of an item
        self.names = 0
        self.items = str(GROUP)
        self.known = False  # whether the compiler knows the conditions around barriers
        self.asserts = False
        # So that kernels are the same with assertions as without.
        self.other = random.Random(seed)

    def name(self):
        self.names += 1
        return f"k{self.names}"

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self, low, high):
        return self.random.randint(low, high)

    def expression(self, depth):
        """Something that may differ between items."""
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            at = f"(i * {self.number(1, 5)} + {self.number(0, 9)}) % n"
            leaves = PRIVATE + self.uniform + ["(int)l", "(int)i", str(self.number(-9, 9)), f"x[{at}]"]
            return self.random.choice(leaves + self.more_leaves())
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        if kind < 0.9:
            return f"({left} {self.pick('+', '-', '*', '^', '&', '|')} {right})"
        return f"({left} / {self.pick('3', '7', f'(({right} & 7) + 1)')})"

    def more_leaves(self):
        return []

    def loop_hint(self):
        """What stands before a loop."""
        return ""

    def shared(self):
        """Something that all items of a group agree on."""
        if self.known:
            return self.pick(*self.uniform, str(self.number(0, 3)))
        return self.pick(*self.uniform, f"p[{self.number(0, 7)}]", "(int)(g & 3)", str(self.number(0, 3)))

    def assertion(self):
        """One about data, that holds, or nothing."""
        self.random, self.other = self.other, self.random
        lines = []
        if self.asserts and self.random.random() < 0.3:
            # n is at least 1. A third of them speak of what all items share.
            value = self.shared() if self.number(0, 2) == 0 else self.expression(2)
            lines = [f"assert(({value} & 3) < n + 3);"]
        self.random, self.other = self.other, self.random
        return lines

    def divergent(self):
        """Statements under conditions of an item's own; no barriers."""
        return self.assertion() + self.statement()

    def statement(self):
        kind = self.random.random()
        if kind < 0.3:
            return [f"{self.pick(*PRIVATE)} = {self.expression(3)};"]
        if kind < 0.5:
            return [f"if ({self.expression(2)} & 1) {{", *self.divergent(), "} else {", *self.divergent(), "}"]
        if kind < 0.65:
            k = self.name()
            head = f"{self.loop_hint()}for (int {k} = 0; {k} < ({self.expression(2)} & 7); {k}++) {{"
            self.own.append(k)
            body = self.divergent()
            self.own.remove(k)
            return [head, *body, f"if (({self.expression(2)} & 31) == 5) break;", "}"]
        if kind < 0.75:
            return [f"switch ({self.expression(2)} % 4) {{", "case 0:", *self.divergent(), "break;",
                    "case 1:", *self.divergent(), "case -1:", *self.divergent(), "break;",
                    "default: c += 1; }"]
        if kind < 0.85:
            return [f"out[i] ^= {self.expression(2)};"]
        if kind < 0.93:
            return [f"q[{self.expression(1)} & 3] += {self.expression(2)};",
                    f"{self.pick(*PRIVATE)} ^= q[{self.expression(1)} & 3];"]
        return [f"__atomic_fetch_add(&sum[{self.expression(1)} & 3], ({self.expression(1)} & 15), 0);"]

    def together(self, depth):
        """Statements that all items of a group reach together: (for the device, for the host)."""
        device, host = [], []
        for _ in range(self.number(1, 3)):
            kind = self.random.random()
            if kind < 0.4 or depth == 0:
                lines = self.divergent()
                device += lines
                host += ["EACH {", *lines, "}"]
            elif kind < 0.65:
                give = f"tile[l] = {self.expression(2)};"
                take = (f"{self.pick(*PRIVATE)} {self.pick('=', '+=', '^=')} "
                        f"tile[(l + {self.number(1, GROUP - 1)}) % {self.items}];")
                device += [give, "ka_barrier();", take, "ka_barrier();"]
                host += [f"EACH {{ {give} }}", f"EACH {{ {take} }}"]
            elif kind < 0.82:
                condition = f"if ({self.shared()} & 1) {{"
                then, other = self.together(depth - 1), self.together(depth - 1)
                device += [condition, *then[0], "} else {", *other[0], "}"]
                host += [condition, *then[1], "} else {", *other[1], "}"]
            else:
                k, bound = self.name(), self.shared()
                self.uniform.append(k)
                body = self.together(depth - 1)
                self.uniform.remove(k)
                leave = self.pick("", f"if ({self.shared()} == {self.number(0, 3)}) break;")
                head = f"{self.loop_hint()}for (int {k} = 0; {k} < ({bound} & 3); {k}++) {{"
                device += [head, *body[0], leave, "}"]
                host += [head, *body[1], leave, "}"]
        return device, host


PARAMETERS = "const int *x, const int *p, int *out, int *sum, int n"
RESULT = "out[i] += a ^ b * 3 ^ c * 7 ^ q[l & 3];"

DEVICE = f"""
[[ka::kernel, ka::group_size({GROUP})]] void kernel_%(number)d({PARAMETERS})
{{
    ka_local int tile[{GROUP}];
    size_t l = ka_local_id(0), i = ka_global_id(0), g = ka_group_id(0);
    int a = 1, b = (int)i, c = x[i], q[4] = {{1, 2, 3, 4}};
    (void)g;
%(device)s
    {RESULT}
}}
"""

HOST = f"""
#define a all_a[l]
#define b all_b[l]
#define c all_c[l]
#define q all_q[l]
#define i (g * {GROUP} + l)
#define EACH for (size_t l = 0; l < {GROUP} && i < (size_t)n; l++)
static void host_%(number)d({PARAMETERS})
{{
    for (size_t g = 0; g * {GROUP} < (size_t)n; g++) {{
        int tile[{GROUP}] = {{0}}, all_a[{GROUP}], all_b[{GROUP}], all_c[{GROUP}], all_q[{GROUP}][4];
        EACH {{ a = 1; b = (int)i; c = x[i]; for (int k = 0; k < 4; k++) q[k] = k + 1; }}
%(host)s
        EACH {{ {RESULT} }}
    }}
}}
#undef a
#undef b
#undef c
#undef q
#undef i
#undef EACH
"""

TRY = """
        memset(out, 0, 1000 * sizeof *out), memset(expected, 0, sizeof expected);
        memset(sum, 0, 4 * sizeof *sum), memset(sums, 0, sizeof sums);
        KA_CHECK(ka_launch(backend(), ka_range(n), kernel_%(number)d(x, p, out, sum, n)));
        KA_CHECK(ka_synchronize(backend()));
        host_%(number)d(x, p, expected, sums, n);
        CHECK_SAME("kernel_%(number)d", expected, out, n);
        CHECK_SAME("sums of kernel_%(number)d", sums, sum, 4);"""


def main():
    writer = Writer(int(sys.argv[1]))
    print('#include "check.h"\n#undef NDEBUG\n#include <assert.h>')
    for number in range(KERNELS):
        # A third of them end up without branches and loops around barriers.
        writer.known = number % 3 == 0
        writer.asserts = number % 2 == 0
        device, host = writer.together(3)
        print(DEVICE % {"number": number, "device": "\n".join(device)})
        print(HOST % {"number": number, "host": "\n".join(host)})
    print("""int main(void)
{
    int *x = device_memory(1000 * sizeof *x), *p = device_memory(8 * sizeof *p);
    int *out = device_memory(1000 * sizeof *out), *sum = device_memory(4 * sizeof *sum);
    static int expected[1000], sums[4];""")
    print(f"    const int sizes[] = {{{', '.join(map(str, SIZES))}}};")
    print("""    for (int r = 0; r < (int)(sizeof sizes / sizeof *sizes); r++) {
        int n = sizes[r];
        for (int j = 0; j < 8; j++)
            p[j] = (j * 5 + r) % 7;
        for (int j = 0; j < n; j++)
            x[j] = (int)((unsigned)j * 2654435761u >> 7);""")
    for number in range(KERNELS):
        print(TRY % {"number": number})
    print("    }\n    return check_result();\n}")


if __name__ == "__main__":
    main()
