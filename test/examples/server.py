"""Checks the example server: pictures, what goes on meanwhile, bad requests, its end.

server.py EXAMPLE HELD    HELD is the server with test/examples/held_paint.c
"""
import mmap
import pathlib
import random
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the tree stays as it is

import png  # noqa: E402
from http_client import CRLF, Server, post  # noqa: E402

example, held = sys.argv[1:]
HELD_RADIUS, FAILING_RADIUS = 31, 32
MOST_BODY, MOST_PICTURES, MOST_CLIENTS = 4 << 20, 8, 256
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"


def paint(width, height, pixels, radius):
    """What paint.c says in its first lines, said once more."""
    painted = bytearray()
    for y in range(height):
        for x in range(width):
            levels = [[] for _ in range(16)]
            for row in range(max(y - radius, 0), min(y + radius, height - 1) + 1):
                for column in range(max(x - radius, 0), min(x + radius, width - 1) + 1):
                    at = 3 * (row * width + column)
                    colour = pixels[at : at + 3]
                    levels[sum(colour) * 16 // 768].append(colour)
            commonest = max(levels, key=len)
            painted += bytes(sum(values) // len(commonest) for values in zip(*commonest))
    return width, height, bytes(painted)


numbers = random.Random(1)
WIDTH, HEIGHT = 23, 17
PIXELS = numbers.randbytes(3 * WIDTH * HEIGHT)
PICTURE = png.write(WIDTH, HEIGHT, PIXELS)


def check_pictures(server):
    with server.connect() as client:  # all on one connection, with other requests between them
        for radius in (1, 3, 30):
            answer = client.ask(post(PICTURE, f"/filter?radius={radius}"))
            assert (answer.status, answer.fields["Content-Type"]) == (200, "image/png"), answer.body
            assert png.read(answer.body) == paint(WIDTH, HEIGHT, PIXELS, radius), radius
            assert client.ask(HEALTH).body == b"ok\n"
        assert png.read(client.ask(post(PICTURE)).body) == paint(WIDTH, HEIGHT, PIXELS, 4)
        head = client.ask(HEALTH.replace(b"GET", b"HEAD"), only_head=True)
        assert head.fields["Content-Length"] == "3", head.fields

        gray = PIXELS[: WIDTH * HEIGHT]
        answer = client.ask(post(png.write(WIDTH, HEIGHT, gray, 0), "/filter?radius=2"))
        as_rgb = bytes(value for value in gray for _ in range(3))
        assert png.read(answer.body) == paint(WIDTH, HEIGHT, as_rgb, 2)
        # What is transparent is white.
        answer = client.ask(post(png.write(1, 2, bytes(4) + b"\1\2\3\xff", 6), "/filter?radius=1"))
        assert png.read(answer.body) == paint(1, 2, b"\xff\xff\xff\1\2\3", 1), answer.body

        client.send(post(PICTURE, fields="Expect: 100-continue\r\n"))
        assert [client.answer().status, client.answer().status] == [100, 200]
        # Bytes that come one by one are the same request; more after it are the next one.
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in post(PICTURE, "/filter?radius=1") + HEALTH:
            client.send(bytes([byte]))
        assert png.read(client.answer().body) == paint(WIDTH, HEIGHT, PIXELS, 1)
        assert client.answer().body == b"ok\n"
    assert server.statuses(HEALTH + post(PICTURE) + HEALTH + post(b"x") + HEALTH) == [
        200, 200, 200, 422, 200,
    ]  # fmt: skip


def check_bad_pictures(server):
    with server.connect() as client:
        bad = [b"no picture", png.SIGNATURE, PICTURE[:-30], PICTURE[1:]]
        for body in bad:
            answer = client.ask(post(body))
            assert answer.status == 422 and answer.body.startswith(b"not a PNG file"), answer.body
        many = png.SIGNATURE + png.chunk(b"IHDR", struct.pack(">IIBBBBB", 3000, 3000, 8, 2, 0, 0, 0))
        many += png.chunk(b"IDAT", b"x")
        answer = client.ask(post(many))
        assert answer.status == 413 and b"3000 x 3000" in answer.body, answer.body
        # Each byte damaged, each length.
        small = png.write(2, 2, PIXELS[:12])
        for at in range(len(small)):
            damaged = bytearray(small)
            damaged[at] ^= 0x55
            assert client.ask(post(bytes(damaged))).status in (200, 422), at
            if at:
                assert client.ask(post(small[:at])).status in (200, 422), at
        answer = client.ask(post(PICTURE, f"/filter?radius={FAILING_RADIUS}"))
        assert answer.status == 500 and b"the device failed: " in answer.body, answer.body
        assert client.ask(HEALTH).status == 200  # and the connection goes on


def field(text):
    return b"GET /health HTTP/1.1\r\nHost: x\r\n" + text + CRLF + CRLF


def with_length(text, more=""):
    return f"POST /filter HTTP/1.1\r\nHost: x\r\nContent-Length: {text}\r\n{more}\r\n".encode()


REQUESTS = [
    # What is valid.
    (200, HEALTH),
    (200, b"GET /health?now HTTP/1.1\r\nhOST:x\r\n\r\n"),
    (200, b"GET /health HTTP/1.0\r\n\r\n"),
    (200, field(b"Content-Length: 0")),
    (200, field(b"X:")),
    (200, field(b"X-\x7e: a\tb \xe4\xff")),
    # What is not there, or not so.
    (404, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
    (404, b"GET /health/ HTTP/1.1\r\nHost: x\r\n\r\n"),
    (404, b"GET /%68ealth HTTP/1.1\r\nHost: x\r\n\r\n"),
    (405, b"POST /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    (405, b"get /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    (405, b"GET /filter HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, field(b"Content-Length: 3") + b"abc"),
    (400, post(PICTURE, "/filter?radius=0")),
    (400, post(PICTURE, "/filter?radius=33")),
    (400, post(PICTURE, "/filter?radius=-1")),
    (400, post(PICTURE, "/filter?radius=4x")),
    (400, post(PICTURE, "/filter?radius=99999999999999999999")),
    (400, post(PICTURE, "/filter?brush=4")),
    (400, post(b"")),
    # Lengths of bodies.
    (411, b"POST /filter HTTP/1.1\r\nHost: x\r\n\r\n"),
    (411, b"POST /filter HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (400, with_length(5, "Transfer-Encoding: chunked\r\n") + b"0\r\n\r\n"),
    (413, with_length(MOST_BODY + 1)),
    (413, with_length(MOST_BODY + 1) + bytes(MOST_BODY + 1)),
    (413, with_length(99999999999999999999999999)),
    (413, with_length((1 << 64) + 5) + b"12345"),
    (400, with_length(-1)),
    (400, with_length("+5")),
    (400, with_length("5, 5")),
    (400, with_length("5 5")),
    (400, with_length("0x10")),
    (400, with_length("")),
    (400, with_length(5, "Content-Length: 5\r\n") + b"12345"),
    (400, with_length(5) + b"1234"),
    (417, field(b"Expect: the worst")),
    # Request lines.
    (400, b"\r\n\r\n"),
    (400, b"GET\r\n\r\n"),
    (400, b"GET /health\r\n\r\n"),
    (400, b" GET /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, b"GET  /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, b"GET /health HTTP/1.1 \r\nHost: x\r\n\r\n"),
    (400, b"GET /he alth HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, b"GET /h\xe4lth HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, b"GET health HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, b"GET /health#top HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, b"G(T /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    (400, b"GET /health http/1.1\r\nHost: x\r\n\r\n"),
    (400, b"GET /health HTTP/1.11\r\nHost: x\r\n\r\n"),
    (400, b"GET /health HTTP/1.\r\nHost: x\r\n\r\n"),
    (505, b"GET /health HTTP/2.0\r\nHost: x\r\n\r\n"),
    (400, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
    (414, b"GET /" + 9000 * b"h" + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
    # Fields.
    (400, b"GET /health HTTP/1.1\r\n\r\n"),
    (400, field(b"Host: y")),
    (400, field(b"X")),
    (400, field(b": x")),
    (400, field(b"X : x")),
    (400, field(b" X: x")),
    (400, field(b"X: x\r\n y")),
    (400, field(b"X\x01: x")),
    (400, field(b"X: x\x01")),
    (400, field(b"X: x\x00")),
    (400, field(b"X: x\ry")),
    (400, field(b"X: x\nY: y")),
    (400, b"GET /health HTTP/1.1\nHost: x\n\r\n\r\n"),
    (431, field(b"X: " + 9000 * b"x")),
    (431, field(b"\r\n".join(b"X%d: x" % i for i in range(2000)))),
    # What is cut off.
    (None, b""),
    (None, b"G"),
    (None, HEALTH[:-1]),
    (None, HEALTH[:-4]),
]


def check_requests(server):
    for status, request in REQUESTS:
        found = server.answers(request)
        assert [answer.status for answer in found] == ([status] if status else []), (
            request[:200],
            [(answer.status, answer.body) for answer in found],
        )
        if status and status != 200:
            assert found[0].fields["Connection"] == "close" and found[0].body.endswith(b"\n")
    methods = server.answers(b"PUT /health HTTP/1.1\r\nHost: x\r\n\r\n")[0].fields["Allow"]
    assert methods == "GET, HEAD", methods
    # Who wants to end, ends; who speaks 1.0 has to ask for more.
    closing = HEALTH.replace(b"Host", b"Connection: TE, Close\r\nHost")
    assert server.statuses(closing + HEALTH) == [200]
    old = HEALTH.replace(b"1.1", b"1.0")
    assert server.statuses(old + old) == [200]
    staying = old.replace(b"Host", b"Connection: keep-alive\r\nHost")
    assert server.statuses(staying + old + old) == [200, 200]


def check_damaged_requests(server):
    """Requests with a few changed, lost, doubled bytes: any answer will do that is an answer."""
    for _ in range(400):
        request = bytearray(numbers.choice((HEALTH, post(PICTURE[:80]), 3 * HEALTH)))
        for _ in range(numbers.randint(1, 4)):
            at = numbers.randrange(len(request))
            damage = numbers.randrange(4)
            if damage == 0:
                request[at] = numbers.randrange(256)
            elif damage == 1:
                del request[at]
            elif damage == 2:
                request[at:at] = request[at : at + numbers.randint(1, 40)]
            else:
                request[at:at] = numbers.choice((b"\r", b"\n", b"\r\n", b"\0", b" ", b":", b"9"))
        for answer in server.answers(bytes(request)):
            assert answer.status < 500 or answer.status == 505, (request, answer.status)
    assert server.statuses(HEALTH) == [200]


def check_too_many_pictures(server):
    waiting = [server.connect() for _ in range(MOST_PICTURES)]
    request = post(PICTURE, "/filter?radius=1", "Expect: 100-continue\r\n")
    for client in waiting:
        assert client.ask(request[: -len(PICTURE)]).status == 100
    assert server.statuses(post(PICTURE)) == [503]
    assert server.statuses(HEALTH) == [200]
    for client in waiting:
        assert client.ask(PICTURE).status == 200
        client.socket.close()


class Gate:
    """What a held kernel waits for."""

    def __init__(self, path):
        path.write_bytes(bytes(4096))
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 4096)

    def wait(self, client):
        """Until a kernel waits there; the server answers as long as that takes."""
        while self.memory[0] == 0:
            assert client.ask(HEALTH).status == 200

    def open(self):
        self.memory[4] = 1

    def close(self):
        self.memory[0] = self.memory[4] = 0


def check_health_meanwhile(server, gate):
    """A kernel runs until /health has been answered on the same thread."""
    with server.connect() as painter, server.connect() as client:
        painter.send(post(PICTURE, f"/filter?radius={HELD_RADIUS}"))
        gate.wait(client)
        assert client.ask(HEALTH).body == b"ok\n"
        assert server.statuses(HEALTH) == [200]  # on a connection that is new
        gate.open()
        expected = paint(WIDTH, HEIGHT, PIXELS, HELD_RADIUS)
        assert png.read(painter.answer().body) == expected
    gate.close()
    # A client that goes away while its kernel runs is no harm to others.
    with server.connect() as client:
        with server.connect() as painter:
            painter.send(post(PICTURE, f"/filter?radius={HELD_RADIUS}"))
            gate.wait(client)
        gate.open()
        assert client.ask(post(PICTURE, "/filter?radius=1")).status == 200
    gate.close()


def check_end(server, gate):
    with server.connect() as painter, server.connect() as idle, server.connect() as begun:
        begun.send(HEALTH[:-2])
        painter.send(post(PICTURE, f"/filter?radius={HELD_RADIUS}"))
        gate.wait(idle)
        # There is an end to connections, too.
        crowd = [server.connect() for _ in range(MOST_CLIENTS)]
        assert crowd[-1].until(CRLF).split()[1] == b"503"
        assert idle.ask(HEALTH).status == 200
        for client in crowd:
            client.socket.close()

        server.process.send_signal(signal.SIGTERM)
        assert idle.rest() == []  # closed, since nothing has begun there
        try:
            server.connect()
            raise AssertionError("it still listens")
        except ConnectionRefusedError:
            pass
        answer = begun.ask(HEALTH[-2:])
        assert (answer.status, answer.fields["Connection"]) == (200, "close")
        gate.open()
        answer = painter.answer()
        assert (answer.status, answer.fields["Connection"]) == (200, "close")
        assert png.read(answer.body) == paint(WIDTH, HEIGHT, PIXELS, HELD_RADIUS)
        assert painter.rest() == []
    server.ends()


def check_slow_clients(server):
    """The server loses patience after 50 ms; this waits for that and for nothing else."""
    silent, late, cut = (server.connect() for _ in range(3))
    late.send(HEALTH[:20])
    cut.send(post(PICTURE)[:-1])
    assert silent.rest() == []
    assert [answer.status for answer in late.rest()] == [408]
    assert [answer.status for answer in cut.rest()] == [408]
    for client in (silent, late, cut):
        client.socket.close()
    # One that asks and asks and never listens. Small segments make small buffers.
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    deaf.connect(("127.0.0.1", server.port))
    deaf.setblocking(False)
    poll = select.poll()
    poll.register(deaf, select.POLLOUT)
    reset = False
    while not reset:
        reset = bool(poll.poll()[0][1] & select.POLLERR)
        try:
            deaf.send(100 * HEALTH)
        except BlockingIOError:
            poll.modify(deaf, 0)
        except ConnectionError:
            reset = True
    server.process.send_signal(signal.SIGINT)
    server.ends()


def check_second_signal(server):
    """The first waits for what has begun, the second does not."""
    with server.connect() as idle, server.connect() as begun:
        begun.send(HEALTH[:-2])
        assert idle.ask(HEALTH).status == 200
        server.process.send_signal(signal.SIGINT)
        assert idle.rest() == []
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait() == -signal.SIGINT


def fails(program, arguments, *words):
    result = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert result.returncode == 1 and all(word in result.stderr for word in words), result


with tempfile.TemporaryDirectory() as name:
    gate = Gate(pathlib.Path(name) / "gate")
    with Server(held, SERVER_GATE=f"{name}/gate") as server:
        fails(example, [f"--port={server.port}"], f"127.0.0.1:{server.port}", "address already in use")
        check_pictures(server)
        check_bad_pictures(server)
        check_requests(server)
        check_damaged_requests(server)
        check_too_many_pictures(server)
        check_health_meanwhile(server, gate)
        check_end(server, gate)
with Server(example, "--patience=50") as server:
    check_slow_clients(server)
with Server(example) as server:
    check_second_signal(server)
for wrong in ("x", "-1", "65536", "80 "):
    fails(example, [f"--port={wrong}"], "usage")
print("server: pictures, bad requests, slow clients and its end are right")
