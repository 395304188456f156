"""Tests of ka-info: ka_info.py <case> <ka-info> <version.h> <ka-info.md>."""

import json
import os
import re
import subprocess
import sys
import tempfile

case, program, version_header, page = sys.argv[1:5]


def run(*arguments, stdout=subprocess.PIPE, **environment):
    env = {k: v for k, v in os.environ.items() if k != "KA_BACKEND"}
    env.update(environment)
    return subprocess.run([program, *arguments], stdout=stdout, stderr=subprocess.PIPE, env=env)


def expect(condition, *what):
    if not condition:
        print("failed:", *what)
        sys.exit(1)


def version():
    with open(version_header, encoding="utf-8") as file:
        text = file.read()
    numbers = [re.search(rf"KA_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(numbers)


def text_shows_the_device():
    result = run()
    text = result.stdout.decode()
    expect(result.returncode == 0, result)
    for piece in ("opencl: 1 device", "opencl:0", "(default)", "compute units", "items", "bytes)",
                  "fp64", "KA_BACKEND: not set", version(), "MHz", " ns", "KiB", "shuffles"):
        expect(piece in text, piece, "not in", text)


def json_agrees_with_the_system():
    result = run("--json")
    expect(result.returncode == 0, result)
    report = json.loads(result.stdout)
    expect(report["version"] == version(), report)
    expect(report["default"] == {"backend": "opencl", "device": 0}, report)
    (backend,) = report["backends"]
    expect(backend["name"] == "opencl" and backend["works"] is True, backend)
    device = backend["devices"][0]
    expect(device["compute_units"] == os.cpu_count(), device)
    expect(0 < device["memory_bytes"] <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), device)
    expect(len(device["max_group_extent"]) == 3, device)
    expect(all(isinstance(n, int) for n in device["sub_group_sizes"]), device)
    expect(device["is_cpu"] and device["shares_memory"] and not device["is_gpu"], device)


def json_has_every_member_of_the_structure():
    # In the order of the header: who adds a member there adds it here, in text and on the page.
    with open(os.path.join(os.path.dirname(version_header), "ka.h"), encoding="utf-8") as file:
        structure = re.search(r"typedef struct ka_device_properties \{(.*?)\n\}", file.read(), re.DOTALL)[1]
    lines = re.sub(r"/\*.*?\*/", "", structure, flags=re.DOTALL).split(";")
    names = [name for line in lines for name in re.findall(r"(\w+)(?:\[\d+\])?\s*(?:,|$)", line.strip())]
    expect(len(names) > 30, names)
    device = json.loads(run("--json").stdout)["backends"][0]["devices"][0]
    expect(["number", *names] == list(device), names, list(device))


def text_shows_every_member():
    # One line each, but for those that share one.
    json_members = len(json.loads(run("--json").stdout)["backends"][0]["devices"][0])
    text = run().stdout.decode()
    lines = [line for line in text.splitlines() if line.startswith("    ")]
    # number and name are in the heading; is_cpu and is_gpu are one line
    expect(len(lines) == json_members - 3, len(lines), json_members)


def json_shows_two_devices():
    report = json.loads(run("--json", POCL_DEVICES="cpu cpu", KA_BACKEND="opencl:1").stdout)
    expect(len(report["backends"][0]["devices"]) == 2, report)
    expect(report["default"] == {"backend": "opencl", "device": 1}, report)
    expect(report["ka_backend_variable"] == "opencl:1", report)


def members(value):
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from members(inner)


def json_members_are_on_the_page():
    with open(page, encoding="utf-8") as file:
        described = set(re.findall(r"`(\w+)`", "".join(l for l in file if l.startswith("|"))))
    for report in (run("--json").stdout, run("--json", KA_OPENCL_LIBRARY="/nowhere").stdout):
        missing = set(members(json.loads(report))) - described - {"backend", "device"}
        expect(not missing, missing)


def says_what_to_install_without_a_driver():
    with tempfile.TemporaryDirectory(prefix='no "drivers" \\ é ') as folder:
        result = run(OCL_ICD_VENDORS=folder)
        expect(result.returncode == 1, result)
        text = result.stdout.decode()
        for piece in ("does not work", "finds no driver", folder, "pocl-opencl-icd"):
            expect(piece in text, piece, "not in", text)
        result = run("--json", OCL_ICD_VENDORS=folder)
        expect(result.returncode == 1, result)
        report = json.loads(result.stdout)
        expect(report["default"] is None, report)
        (backend,) = report["backends"]
        expect(backend["works"] is False and backend["devices"] == [], backend)
        expect(folder in backend["reason"], backend)


def says_what_to_install_without_a_loader():
    result = run(KA_OPENCL_LIBRARY="/nowhere/libOpenCL.so.1")
    expect(result.returncode == 1, result)
    text = result.stdout.decode()
    for piece in ("cannot be opened", "/nowhere/libOpenCL.so.1", "ocl-icd-libopencl1"):
        expect(piece in text, piece, "not in", text)


def shows_a_wrong_variable():
    result = run(KA_BACKEND="cuda")
    expect(result.returncode == 0, result)  # opencl works all the same
    expect('KA_BACKEND="cuda": there is no backend' in result.stdout.decode(), result)
    report = json.loads(run("--json", KA_BACKEND="cuda").stdout)
    expect(report["default"] is None and "cuda" in report["reason"], report)


def json_is_valid_for_any_bytes():
    report = run("--json", KA_BACKEND=os.fsdecode(b"caf\xc3\xa9 \xff \x01 \" \\ \xc3"))
    text = report.stdout.decode()  # raises if it is not UTF-8
    expect(json.loads(text)["ka_backend_variable"] == "café \ufffd \x01 \" \\ \ufffd", text)


def help_and_version():
    result = run("--help")
    expect(result.returncode == 0 and b"usage: ka-info" in result.stdout, result)
    result = run("--version")
    expect(result.returncode == 0 and result.stdout.decode() == f"ka-info {version()}\n", result)


def refuses_unknown_arguments():
    result = run("--jason")
    expect(result.returncode == 2, result)
    expect(result.stdout == b"" and b"'--jason'" in result.stderr and b"usage" in result.stderr, result)


def notices_that_it_cannot_write():
    with open("/dev/full", "wb") as full:
        result = run(stdout=full)
    expect(result.returncode == 1 and b"cannot write" in result.stderr, result)


globals()[case]()
