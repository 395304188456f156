"""Makes docs/benchmarks.md and its plots from the benchmark's figures.

page.py measure TOP BIN CLANG [argument of ka-bench...]
    measures, puts the figures into docs/benchmarks/, and writes the page anew. Groups that are not
    measured keep the figures they have.
page.py write TOP
    writes the page anew from the figures that are there
page.py check TOP KA-BENCH QUICK-JSON
    the page and its plots are what this makes of its figures; it has a row for each that the
    benchmark measured in QUICK-JSON, and no other
"""

import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the tree stays as it is

import plots  # noqa: E402
from methods import METHODS  # noqa: E402

# Of the plots of saxpy: sizes, and lines with their colours for ka and by hand.
SIZES = [
    (64 << 2 * n, name)
    for n, name in enumerate("64 256 1Ki 4Ki 16Ki 64Ki 256Ki 1Mi".split())
]
LINES = [("default", ("#0072b2", "#e69f00")), ("static 1024", ("#009e73", "#cc79a7"))]


def fail(text):
    sys.exit(f"page.py: {text}")


def read_rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def known_groups(ka_bench):
    """(name, what it measures), in the benchmark's order."""
    listed = subprocess.run([ka_bench, "--list"], check=True, stdout=subprocess.PIPE, text=True)
    return [line.split(None, 1) for line in listed.stdout.splitlines()]


# ---- The machine


def first_line(command):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()[0]


def busy_percent(seconds=2):
    """How much of the machine's time others use, while this only sleeps."""

    def read():
        with open("/proc/stat") as file:
            numbers = [int(word) for word in file.readline().split()[1:9]]
        return sum(numbers), numbers[3] + numbers[4]

    total, idle = read()
    time.sleep(seconds)
    total_after, idle_after = read()
    spent = total_after - total
    return round(100 * (1 - (idle_after - idle) / spent)) if spent else 0


def machine_class(ka_info, clang):
    """What figures depend on; nothing that names a machine."""
    info = json.loads(
        subprocess.run([ka_info, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    )
    chosen = info["default"]
    device = next(b for b in info["backends"] if b["name"] == chosen["backend"])["devices"][
        chosen["device"]
    ]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return {
        "device": device["name"],
        "cores": os.cpu_count(),
        "memory": f"{memory:.0f} GiB",
        "driver": device["driver"],
        "api": device["api"],
        "system": f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}",
        "clang": first_line([clang, "--version"]),
    }


# ---- Figures


def promised(row):
    """The number that the bound is one for."""
    return row["ratio"] if row["peer"] is not None else row["ka"]


def is_bounded(row):
    return row["ka"] is not None and row["bound"] is not None


def is_met(row):
    return promised(row) <= row["bound"]


def number(value):
    return f"{value:.4g}" if value < 10000 else f"{value:.0f}"


def with_unit(row, value):
    return f"{number(value)} {row['unit'].replace('us', 'µs')}"


def promised_text(row, value):
    """The number that the bound is one for, or the bound, as people read it."""
    return with_unit(row, value) if row["peer"] is None else f"{value:.4g}"


# ---- The page


def table_line(cells):
    return "| " + " | ".join(cells) + " |"


def bound_cell(row):
    if not is_bounded(row):
        return "–"
    limit = f"≤ {promised_text(row, row['bound'])}"
    return f"{limit}: met" if is_met(row) else f"{limit}: **missed**"


def table(rows):
    lines = [
        table_line(("", "ka", "peer", "ratio", "bound", "spread", "runs")),
        table_line(("---", "---:", "---:", "---:", "---", "---:", "---:")),
    ]
    for row in rows:
        if row["ka"] is None:
            why = f"not measured: {row['peer_name']}"
            lines.append(table_line((row["name"], "–", "–", "–", why, "–", "–")))
            continue
        beside = row["peer"] is not None
        lines.append(
            table_line(
                (
                    row["name"],
                    with_unit(row, row["ka"]),
                    f"{with_unit(row, row['peer'])}, {row['peer_name']}" if beside else "–",
                    f"{row['ratio']:.3f}" if beside else "–",
                    bound_cell(row),
                    f"{100 * row['spread']:.0f} %" if row["spread"] else "–",
                    str(row["runs"]),
                )
            )
        )
    return "\n".join(lines)


def summary(rows):
    bounded = [row for row in rows if is_bounded(row)]
    missed = [row for row in bounded if not is_met(row)]
    lines = [f"{len(bounded) - len(missed)} of {len(bounded)} bounds are met."]
    if missed:
        lines += ["Missed:", ""]
        for row in missed:
            lines.append(
                f"- {row['group']}, {row['name']}: {promised_text(row, promised(row))}, "
                f"promised {promised_text(row, row['bound'])}"
            )
    return "\n".join(lines)


HEAD = """# Benchmarks

What ka promises of its speed, and what was measured. `tools/dev/bench --page` measures everything and writes this page, its
[figures](benchmarks/figures.jsonl) and its plots anew; `tools/dev/bench GROUP --page` does so for one group. Do not edit it by hand.

"""

METHOD = """## Method

ka and its peer do the same work in turn, in one process, and who goes first changes. The two times are medians. The *ratio* is
the median of the ratios of the medians of short blocks: on a CPU device times have two levels, with the driver's
threads asleep or awake, and levels hold for a while; both sides of a block see the same. *Spread* is the wider of the
two interquartile ranges, as a share of its median. *Runs* counts those of each side. A *bound* is one for the ratio, or,
where there is no peer, for the time itself; a figure above it is shown as missed.
"""


def machine_section(machine, busy):
    rows = [
        ("Device", machine["device"]),
        ("Cores, memory", f"{machine['cores']}, {machine['memory']}"),
        ("Driver", f"{machine['driver']}; {machine['api']}"),
        ("System", machine["system"]),
        ("Compiler", machine["clang"]),
    ]
    lines = ["## Machine", "", table_line(("", "")), table_line(("---", "---"))]
    lines += [table_line(row) for row in rows]
    lines.append("")
    most = max(busy.values())
    if most > 10:
        lines.append(
            f"**The machine was busy** when this was measured: others used up to {most} % of its "
            "cores. Times are too long, and tails tell of the others; ratios suffer less."
        )
    else:
        lines.append(f"Nothing else ran: others used at most {most} % of its cores.")
    return "\n".join(lines) + "\n"


def saxpy_plots(rows):
    """(file, title, SVG) for each type that was measured."""
    times = {row["name"]: row for row in rows if row["group"] == "saxpy" and row["ka"] is not None}
    made = []
    for kind in ("half", "float", "double"):
        if f"{kind}, default, 64" not in times:
            continue
        series = []
        for what, colours in LINES:
            of_size = [times[f"{kind}, {what}, {size}"] for _, size in SIZES]
            series.append((f"ka, {what}", colours[0], "", [row["ka"] for row in of_size]))
            by_hand = [row["peer"] for row in of_size]
            series.append((f"OpenCL C by hand, {what}", colours[1], "6 4", by_hand))
        title = f"saxpy of {kind}: time over size"
        made.append((f"saxpy-{kind}.svg", title, plots.times_over_size(title, SIZES, series)))
    return made


def bounds_plot(rows):
    title = "Figures as shares of their bounds"
    marks = [
        (
            f"{row['group']}: {row['name']}",
            promised(row) / row["bound"],
            f"{promised_text(row, promised(row))} of {promised_text(row, row['bound'])}",
        )
        for row in rows
        if is_bounded(row)
    ]
    return ("bounds.svg", title, plots.shares_of_bounds(title, marks))


def make(rows, stored):
    """All files of the page: {path below docs/: text}."""
    saxpy, bounds = saxpy_plots(rows), bounds_plot(rows)
    page = [HEAD + summary(rows) + "\n", f"![{bounds[1]}](benchmarks/{bounds[0]})\n"]
    page += [machine_section(stored["machine"], stored["busy"]), METHOD]
    for group, what in stored["groups"]:
        of_group = [row for row in rows if row["group"] == group]
        if not of_group:
            continue
        page.append(f"## {group}\n\n{what[0].upper()}{what[1:]}.\n")
        if group in METHODS:
            page.append(METHODS[group] + "\n")
        if group == "saxpy":
            page += [f"![{title}](benchmarks/{name})\n" for name, title, _ in saxpy]
        page.append(table(of_group) + "\n")
    files = {"benchmarks.md": "\n".join(page)}
    for name, _, svg in [bounds, *saxpy]:
        files[f"benchmarks/{name}"] = svg
    return files


# ---- Commands


def load(docs):
    folder = docs / "benchmarks"
    return read_rows(folder / "figures.jsonl"), json.loads((folder / "measured.json").read_text())


def store(docs, rows, stored):
    folder = docs / "benchmarks"
    folder.mkdir(exist_ok=True)
    (folder / "figures.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "measured.json").write_text(json.dumps(stored, indent=2) + "\n")


def write(docs):
    for name, text in make(*load(docs)).items():
        (docs / name).write_text(text)


def measure(docs, folder, clang, arguments):
    ka_bench = folder / "ka-bench"
    groups = known_groups(ka_bench)
    machine = machine_class(folder / "ka-info", clang)
    wanted = {a for a in arguments if not a.startswith("-")} or {group for group, _ in groups}
    rows, busy_of = [], {}
    if (docs / "benchmarks/figures.jsonl").exists():
        rows, before = load(docs)
        rows = [row for row in rows if row["group"] not in wanted and row["group"] in dict(groups)]
        if rows and before["machine"] != machine:
            fail("the others were measured on another machine; measure all: tools/dev/bench --page")
        busy_of = {row["group"]: before["busy"][row["group"]] for row in rows}
    busy = busy_percent()
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work) / "figures.jsonl"
        done = subprocess.run([ka_bench, *arguments, f"--json={path}"], check=False)
        if done.returncode != 0:
            fail("the benchmark failed; the page stays as it is")
        rows += read_rows(path)
    busy_of |= {group: busy for group in wanted}
    order = [group for group, _ in groups]
    busy_of = {group: busy_of[group] for group in order if group in busy_of}
    rows.sort(key=lambda row: order.index(row["group"]))
    store(docs, rows, {"machine": machine, "busy": busy_of, "groups": groups})
    write(docs)
    print(f"\n{docs / 'benchmarks.md'} is written. {summary(rows)}")


def check(docs, ka_bench, quick):
    rows, stored = load(docs)
    wrong = []
    for name, text in make(rows, stored).items():
        path = docs / name
        if not path.exists() or path.read_text() != text:
            wrong.append(f"docs/{name} is not what the script makes of the figures: page.py write")
    if stored["groups"] != known_groups(ka_bench):
        wrong.append("ka-bench has other groups, or says something else of them, than the page")
    # A device may lack what another has: then one row stands for all that begin with its name.
    here = {(row["group"], row["name"]): row for row in read_rows(quick)}
    there = {(row["group"], row["name"]): row for row in rows}

    def covered(name, others):
        return name in others or any(
            row["ka"] is None and key[0] == name[0] and name[1].startswith(key[1])
            for key, row in others.items()
        )

    for rows_of_one, others, text in (
        (here, there, "the page lacks"),
        (there, here, "the benchmark does not measure"),
    ):
        for name, row in rows_of_one.items():
            if row["ka"] is not None and not covered(name, others):
                wrong.append(f"{text} '{name[1]}': tools/dev/bench {name[0]} --page")
    for text in wrong:
        print(text)
    print(f"{len(there)} figures on the page, {len(here)} in the benchmark")
    sys.exit(bool(wrong))


def main():
    if len(sys.argv) < 3:
        fail(__doc__)
    what, top, *rest = sys.argv[1:]
    docs = pathlib.Path(top) / "docs"
    if what == "measure" and len(rest) >= 2:
        measure(docs, pathlib.Path(rest[0]), rest[1], rest[2:])
    elif what == "write" and not rest:
        write(docs)
    elif what == "check" and len(rest) == 2:
        check(docs, rest[0], pathlib.Path(rest[1]))
    else:
        fail(__doc__)


main()
