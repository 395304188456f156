#!/usr/bin/env python3
"""Writes a program of random kernels with traps, some of which fail, to be compared with emulation.h.

    random_traps.py SEED [COUNT] > program.c

One kernel for each of COUNT seeds from SEED on: half have barriers. A trap is reached if the launch's bit
of it is set, or always, and then fails for an item, a group, some or all. Statements are those of
random_barriers.py, and others on arrays of all types. random_traps_campaign.py does this for many seeds.
"""
import sys

from random_barriers import PRIVATE, Writer

OWN = ["out[i]", "y[i]", "z[i]", "s[perm[i]]", "(int)bytes[i]", "(int)halves[i]", "(int)wides[4 * i + 1]", "(int)floats[i]",
       "(int)floats[i + n]", "(int)doubles[i]"]
GROUPS = ["", "", "", "ka::group_size(32)", "ka::group_size(7)", "ka::group_size(4, 2, 3)"]
IDS = [
    ("ka_global_linear_id()", "ka_local_linear_id()", "ka_group_linear_id()"),
    ("(ka_global_id(2) - ka_global_offset(2)) * ka_global_size(1) * ka_global_size(0) + "
     "(ka_global_id(1) - ka_global_offset(1)) * ka_global_size(0) + ka_global_id(0) - ka_global_offset(0)",
     "(ka_local_id(2) * ka_local_size(1) + ka_local_id(1)) * ka_local_size(0) + ka_local_id(0)",
     "(ka_group_id(2) * ka_num_groups(1) + ka_group_id(1)) * ka_num_groups(0) + ka_group_id(0)"),
]

HELPERS = """
HELPER(int, at_most)(int value, int limit)
{
    assert(value <= limit);
    return value;
}

HELPER(int, some_of)(int value, unsigned fail, int trap)
{
    int sum = 0;
    KA_UNROLL
    for (int k = 0; k < 3; k++) {
        if ((fail >> trap & 1) && (value >> k & 15) == 7)
            ka_trap("some of them");
        sum += value >> k;
    }
    return sum;
}
"""


class TrapWriter(Writer):
    def __init__(self, seed):
        super().__init__(seed)
        self.traps = 0
        self.may_return = False
        self.has_groups = True  # whether it may look at its group
        self.most_traps = self.pick(1, 2, 3, 4)
        self.level = 0
        self.straight = True  # no barriers in branches and loops

    def more_leaves(self):
        return [self.pick(*OWN)] if self.random.random() < 0.5 else []

    def loop_hint(self):
        return self.pick("", "", "KA_UNROLL ", "KA_UNROLL_N(2) ", "KA_UNROLL_N(1) ")

    def expression(self, depth):
        if depth > 0 and self.random.random() < 0.04:
            return f"DIVIDE({super().expression(depth - 1)}, {super().expression(depth - 1)} & 15)"
        return super().expression(depth)

    def who(self):
        """A condition: the items that fail."""
        choices = ["(int)i == bad"] * 4 + [f"({self.expression(2)} & {self.pick(7, 31)}) == 5", "1",
                   f"({self.shared()} & 3) == {self.number(0, 3)}", "x[i] == PLANTED", "bad >= 0 && (int)i > bad"]
        if self.has_groups:
            choices += ["(int)g == bad_group"] * 2 + [f"l == {self.number(0, 9)}", f"(int)g >= {self.number(0, 3)}"]
        who = self.pick(*choices)
        counters = self.uniform + self.own
        if counters and self.number(0, 2):
            who += f" && {self.pick(*counters)} {self.pick('==', '>=')} {self.pick('1', '2', 'n / 90', self.shared())}"
        return who

    def trap(self):
        number = self.traps
        self.traps += 1
        who = self.who()
        always = who != "1" and self.number(0, 3) == 0 and "bad" in who
        fails = who if always or "PLANTED" in who else f"(fail >> {number} & 1) && {who}"
        kind = self.number(0, 9)
        if kind < 3:
            return [f"assert(!({fails}));"]
        if kind == 3:
            return [f"if ({fails}) ka_trap(\"trap {number}\");"]
        if kind == 4:
            return [f"if ({fails}) {self.pick('abort();', '__builtin_trap();')}"]
        if kind == 5:
            return [f"{self.pick(*PRIVATE)} += CALL(at_most)({fails} ? 7 : 0, {self.number(0, 6)});"]
        if kind == 6:
            return [f"{self.pick(*PRIVATE)} += CALL(some_of)({self.expression(2)}, fail, {number});"]
        if kind == 7:
            return [f"if ({who}) {{", *self.plain_statement(), f"if (fail >> {number} & 1) {{", *self.plain_statement(),
                    f"ka_trap(\"trap {number}, behind others\"); }} }} else {{", *self.plain_statement(), "}"]
        if kind == 8:
            if self.number(0, 2) == 0:
                return [f"if (fail >> {number} & 1) for (int k = 0;; k++) {{", *self.plain_statement(),
                        f"assert(k < {self.pick('2', '3 + (int)(i & 3)')}); }}"]
            return [f"for (int k = 0; k < 3 || (fail >> {number} & 1); k++) {{", *self.plain_statement(),
                    f"assert(k < {self.pick('3', '5', '3 + (int)(i & 3)')}); }}"]
        return [f"assert(!({fails}) || {self.pick(*PRIVATE)} == 0x1234567);"]

    def assertion(self):
        """Stands at the beginning of any statement under an item's own conditions."""
        lines = []
        if self.traps < self.most_traps and self.random.random() < 0.25:
            lines += self.trap()
        if self.may_return and self.random.random() < 0.06:
            lines += [f"if (({self.expression(1)} & 7) == 3) return;"]
        return lines

    def plain_statement(self):
        return [self.pick(
            f"y[i] = {self.expression(2)};",
            f"z[i] += {self.expression(2)};",
            f"out[i] = y[i] + {self.number(1, 9)};",
            f"y[i] = z[i] * {self.number(2, 9)} + x[i];",
            f"s[perm[i]] ^= {self.expression(2)};",
            f"bytes[i] = (int8_t)({self.expression(2)});",
            f"halves[i] += (uint16_t)({self.expression(2)});",
            f"wides[4 * i + {self.number(0, 3)}] = wides[4 * i + {self.number(0, 3)}] * 3 + (int64_t)({self.expression(2)});",
            f"floats[i{self.pick('', ' + n')}] = floats[i] * 0.5f + (float)({self.expression(2)} & 255);",
            f"doubles[i] = doubles[i] * 0.5 + (double)floats[i] * 0.25 + (double)({self.expression(2)} & 255);",
            f"__atomic_fetch_add(&sum[{self.number(0, 3)}], 1, 0);")]

    def statement(self):
        return self.plain_statement() if self.random.random() < 0.4 else super().statement()

    def together(self, depth):
        self.level += 1
        lines, _ = super().together(depth)
        self.level -= 1
        if self.traps < self.most_traps and self.random.random() < 0.4:
            lines = self.pick(lines + self.trap(), self.trap() + lines)
        kind = self.random.random()
        if kind < 0.06:
            lines += [f"if (({self.shared()} & 3) == 1) return;"]
        elif kind < 0.1:
            lines += [f"{self.pick(*PRIVATE)} += {self.pick('ka_group_reduce_add', 'ka_group_reduce_max', 'ka_group_scan_add')}"
                      f"({self.pick(*PRIVATE)} & 255);"]
        self.straight &= self.level == 0 or not meets(lines)
        return lines, []

    # What a kernel is made of.

    def body(self, barriers):
        if barriers:
            lines, _ = self.together(3)
            self.may_return = True
            lines += ["BEHIND_BARRIERS"]
            if self.number(0, 2) == 0:
                lines += self.divergent()
        else:
            self.may_return = True
            lines = []
            for _ in range(self.number(1, 4)):
                lines += self.divergent()
        if self.traps == 0:
            lines = self.trap() + lines
        return lines


def meets(lines):
    return any("ka_barrier" in line or "ka_group_r" in line or "ka_group_s" in line for line in lines)


def kernel(seed):
    """(text of it, its entry in the table)"""
    writer = TrapWriter(seed)
    barriers = seed % 2 == 0
    group = writer.pick(*GROUPS)
    any_group = not barriers and not group and writer.number(0, 1) == 0
    is_restrict = writer.number(0, 2) == 0
    writer.items = "items"
    writer.known = writer.number(0, 2) == 0
    writer.has_groups = not any_group
    if any_group:
        writer.uniform, writer.known = [], True
    name = f"kernel_{seed}"
    simple = not barriers and writer.number(0, 2) == 0
    lines = []
    i, l, g = writer.pick(*IDS)
    lines.append(f"size_t i = {i};")
    if writer.has_groups:
        lines.append(f"size_t l = {l}, g = {g};")
    else:
        lines.append("size_t l = i & 15;")
    if barriers:
        lines += ["int items = (int)(ka_local_size(0) * ka_local_size(1) * ka_local_size(2));",
                  "TILE(0, tile, MOST_IN_GROUP);"]
    lines.append("int a = 1, b = 0, c = x[i], q[4] = {1, 2, 3, 4};")
    if simple:
        body = []
        for _ in range(writer.number(1, 3)):
            body += writer.plain_statement()
        body.insert(writer.number(0, len(body)), "\n".join(writer.trap()))
        lines += body
    else:
        lines += writer.body(barriers)
        lines.append("out[i] += a ^ b * 3 ^ c * 7 ^ q[l & 3];")
    attributes = f", {group}" if group else ""
    text = f"KERNEL({name}{attributes})(PARAMETERS({'restrict' if is_restrict else ''}))\n{{\n" + "\n".join(lines) + "\n}\n"
    size = group[group.index("(") + 1:-1].split(",") if group else [0, 0, 0]
    size = ", ".join(str(n).strip() for n in (size + [1, 1])[:3])
    entry = (f'{{"{name}", {int(is_restrict)}, {{{size}}}, {int(meets(lines))}, {int(writer.straight)}, {int(any_group)}, '
             f'launch_{name}, emulate_{name}}},')
    return text, entry


ENDS = """static void host_%(name)s(PARAMETERS());
static ka_status launch_%(name)s(struct memory *m, const struct plan *plan) {
    return ka_launch(backend(), plan->range, %(name)s(ARGUMENTS(m, plan)));
}
static void emulate_%(name)s(struct memory *m, const struct plan *plan) {
    host_%(name)s(ARGUMENTS(m, plan));
}"""


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    made = [kernel(seed) for seed in range(first, first + count)]
    print('#ifndef EMULATION_H\n#include "emulated_launches.h"\n#include __FILE_NAME__')
    for seed in range(first, first + count):
        print(ENDS % {"name": f"kernel_{seed}"})
    print('#define EMULATED\n#include "emulation.h"\n#include __FILE_NAME__')
    print("static const struct tested_kernel kernels[] = {")
    for _, entry in made:
        print(f"    {entry}")
    print("};\nint main(int argc, char **argv) {")
    print("    int begin = argc > 1 ? atoi(argv[1]) : 0, geometries = argc > 2 ? atoi(argv[2]) : 3;")
    print(f"    return run_kernels(kernels, {count}, begin, geometries, {first}, __FILE__);\n}}")
    print("#else")
    print(HELPERS)
    for text, _ in made:
        print(text)
    print("#endif")


if __name__ == "__main__":
    main()
