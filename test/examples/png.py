"""PNG files as rows of pixels, written and read without any library for pictures."""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind, data):
    checked = kind + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))


def write(width, height, pixels, colour_type=2):
    """8 bits a sample; colour types: 0 gray, 2 red green blue, 6 with alpha."""
    row = width * {0: 1, 2: 3, 6: 4}[colour_type]
    rows = b"".join(b"\0" + pixels[y * row : (y + 1) * row] for y in range(height))
    return (
        SIGNATURE
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def predicted(kind, left, up, corner):
    if kind == 4:  # Paeth
        nearest = left + up - corner
        far = [abs(nearest - part) for part in (left, up, corner)]
        return (left, up, corner)[far.index(min(far))]
    return (0, left, up, (left + up) // 2)[kind]


def read(data):
    """(width, height, pixels) of a file with 8-bit red, green, blue that is not interlaced."""
    assert data[:8] == SIGNATURE, data[:8]
    at, packed, header = 8, b"", None
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert data[at : at + 12 + length] == chunk(kind, content), kind
        header = struct.unpack(">IIBBBBB", content) if kind == b"IHDR" else header
        packed += content if kind == b"IDAT" else b""
        at += 12 + length
    assert header[2:] == (8, 2, 0, 0, 0), header
    width, height = header[:2]
    raw, row, pixels = zlib.decompress(packed), 3 * width, bytearray()
    for y in range(height):
        kind, line = raw[y * (row + 1)], raw[y * (row + 1) + 1 : (y + 1) * (row + 1)]
        for x, value in enumerate(line):
            left = pixels[y * row + x - 3] if x >= 3 else 0
            up = pixels[(y - 1) * row + x] if y else 0
            corner = pixels[(y - 1) * row + x - 3] if y and x >= 3 else 0
            pixels.append((value + predicted(kind, left, up, corner)) & 255)
    return width, height, bytes(pixels)
