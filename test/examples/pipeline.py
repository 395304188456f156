"""Checks the example pipeline: files of many sizes, files that cannot be read or written.

pipeline.py EXAMPLE
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

(example,) = sys.argv[1:]
PIECE = 1 << 20

# RFC 8439, section 2.4.2.
TEXT = (
    b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    b"sunscreen would be it."
)
CIPHER = bytes.fromhex(
    "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
    "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
    "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
    "5af90bbf74a35be6b40b8eedf2785e42874d"
)

# Permissions bind root too, when it has laid down what lets it pass over them.
OVERRIDES = "-dac_override,-dac_read_search"
NO_OVERRIDE = ["setpriv", f"--bounding-set={OVERRIDES}", f"--inh-caps={OVERRIDES}"]
NO_OVERRIDE = NO_OVERRIDE if os.geteuid() == 0 else []


def keystream_block(counter):
    """One block of the cipher, as the RFC's section 2.3 says it."""
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += struct.unpack("<8I", bytes(range(32))) + (counter, 0, 0x4A000000, 0)
    x = list(start)

    def turn(value, bits):
        return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF

    for _ in range(10):
        for a, b, c, d in (
            (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
            (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
        ):  # fmt: skip
            for p, q, r, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[p] = (x[p] + x[q]) & 0xFFFFFFFF
                x[r] = turn(x[r] ^ x[p], bits)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(x, start)))


def run(arguments, status, before=()):
    result = subprocess.run([*before, example, *arguments], capture_output=True, text=True)
    assert result.returncode == status, (arguments, result)
    return result


def fails(arguments, *words, before=()):
    text = run(arguments, 1, before).stderr
    assert all(word in text for word in words), text


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    plain, secret, back = (str(folder / part) for part in ("plain", "secret", "back"))

    pathlib.Path(plain).write_bytes(TEXT)
    run([plain, secret], 0)
    assert pathlib.Path(secret).read_bytes() == CIPHER

    for size in (0, 1, PIECE - 1, PIECE, PIECE + 1, 9 * PIECE + 12345):
        data = (b"0123456789abcdef" * (size // 16 + 1))[:size]
        pathlib.Path(plain).write_bytes(data)
        run([plain, secret], 0)
        found = pathlib.Path(secret).read_bytes()
        assert len(found) == size, (size, len(found))
        # The first and last block of each piece, whichever lane it took; the example by itself
        # compares all bytes of many pieces with plain C.
        blocks = {b for p in range(0, size, PIECE) for b in (p // 64, (p + PIECE) // 64 - 1)}
        for block in {min(b, (size - 1) // 64) for b in blocks}:
            part = slice(64 * block, 64 * block + 64)
            expected = bytes(a ^ b for a, b in zip(data[part], keystream_block(block + 1)))
            assert found[part] == expected, (size, block)
    # Twice is not at all.
    run([secret, back], 0)
    assert pathlib.Path(back).read_bytes() == data

    # Errors say which file and why, and leave no half file.
    missing = str(folder / "missing")
    fails([missing, back], "read", missing, "No such file")
    fails([name, back], "read", name, "no regular file")
    fails([plain, str(folder)], "write", "Is a directory")
    fails([plain, missing + "/out"], "write", missing, "No such file")
    fails([plain, plain], "write", "it is the file to be read")
    assert pathlib.Path(plain).read_bytes() == data
    fails([plain, "/dev/full"], "write", "/dev/full", "No space left")
    os.chmod(plain, 0)
    fails([plain, back], "read", plain, "Permission denied", before=NO_OVERRIDE)
    # Files of sysfs say that they have a page, and have less.
    shorter = "/sys/kernel/uevent_seqnum"
    if os.path.exists(shorter):
        fails([shorter, back], "read", shorter, "became shorter")
    else:
        print(f"1 case skipped, a file that is shorter than it says: there is no {shorter}")
    # A limit on the size of files ends writing in the middle.
    limited = subprocess.run(
        ["sh", "-c", 'trap "" XFSZ; ulimit -f 2048; exec "$@"', "sh", example, secret, back],
        capture_output=True,
        text=True,
        env={**os.environ, "KA_TASK_THREADS": "1"},
    )
    assert limited.returncode == 1 and "File too large" in limited.stderr, limited
    assert not pathlib.Path(back).exists(), "half a file was left"

    run([f"--output={name}"], 0)
    assert (folder / "pipeline.svg").read_text().count("<rect") > 2 * 5 * 32
print("pipeline: sizes and errors are handled")
