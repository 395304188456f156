"""Checks how an example behaves around its kernel: options, bad input, what it writes.

options.py EXAMPLE PICTURE    EXAMPLE reads a photograph and writes PICTURE with --output
"""
import pathlib
import subprocess
import sys
import tempfile

example, picture = sys.argv[1:]


def run(arguments, folder, status):
    result = subprocess.run([example, *arguments], cwd=folder, capture_output=True, text=True)
    assert result.returncode == status, (arguments, result)
    return result


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    assert "--output" in run(["--help"], folder, 0).stdout

    wrong = run(["--no-such-option"], folder, 1)
    assert "--no-such-option" in wrong.stderr, wrong.stderr

    wrong = run(["missing.png"], folder, 1)
    assert "missing.png" in wrong.stderr and "No such file" in wrong.stderr, wrong.stderr

    (folder / "text.png").write_text("no picture at all")
    wrong = run(["text.png"], folder, 1)
    assert "text.png" in wrong.stderr and "PNG" in wrong.stderr, wrong.stderr
    (folder / "text.png").unlink()

    wrong = run(["--output=missing"], folder, 1)
    assert "no directory 'missing'" in wrong.stderr, wrong.stderr

    right = run([], folder, 0)
    assert "device:" in right.stdout and "matches plain C" in right.stdout, right.stdout
    assert not list(folder.iterdir()), "something was written without --output"

    run(["--output"], folder, 0)
    signature = (folder / picture).read_bytes()[:8]
    assert signature == b"\x89PNG\r\n\x1a\n", signature

    # A picture that it wrote is one that it reads.
    run([picture], folder, 0)
print(f"{pathlib.Path(example).name}: options and bad input are handled")
