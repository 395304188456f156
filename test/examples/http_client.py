"""A server as a child, and clients that take its answers apart: for tests of the example server."""
import os
import socket
import subprocess

CRLF = b"\r\n"


class Server:
    def __init__(self, program, *options, **environment):
        self.process = subprocess.Popen(
            [program, "--port=0", *options],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | environment,
        )
        self.process.stdout.readline()  # the device
        line = self.process.stdout.readline()
        assert line.startswith("server:  http://127.0.0.1:"), line
        self.port = int(line.split(":")[-1].strip().strip("/"))

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        if kind:
            self.process.kill()
        self.process.wait()

    def connect(self):
        return Client(socket.create_connection(("127.0.0.1", self.port)))

    def answers(self, data):
        """All answers to what is sent, until the server closes the connection."""
        with self.connect() as client:
            client.send(data)
            client.send_no_more()
            return client.rest()

    def statuses(self, data):
        return [answer.status for answer in self.answers(data)]

    def ends(self):
        assert self.process.wait() == 0, self.process.returncode


class Answer:
    def __init__(self, client, only_head):
        head = client.until(CRLF + CRLF).decode("ascii").split("\r\n")
        version, status, self.reason = head[0].split(" ", 2)
        assert version == "HTTP/1.1", head
        self.status = int(status)
        self.fields = dict(line.split(": ", 1) for line in head[1:-2])
        self.body = b""
        if self.status != 100:
            assert self.fields["Date"].endswith(" GMT"), head
            self.body = client.take(0 if only_head else int(self.fields["Content-Length"]))


class Client:
    def __init__(self, connected):
        self.socket, self.bytes = connected, b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError:
            pass  # the server has closed it: what it said is still to be read

    def send_no_more(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # likewise

    def more(self):
        try:
            got = self.socket.recv(1 << 16)
        except ConnectionResetError:
            got = b""
        self.bytes += got
        return bool(got)

    def take(self, count):
        while len(self.bytes) < count:
            assert self.more(), f"{count} bytes were announced, {len(self.bytes)} came"
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def until(self, end):
        while end not in self.bytes:
            assert self.more(), f"only {self.bytes} came"
        return self.take(self.bytes.index(end) + len(end))

    def answer(self, only_head=False):
        return Answer(self, only_head)

    def ask(self, data, only_head=False):
        self.send(data)
        return self.answer(only_head)

    def rest(self):
        found = []
        while self.bytes or self.more():
            found.append(self.answer())
        return found


def post(body, target="/filter", fields=""):
    head = f"POST {target} HTTP/1.1\r\nHost: x\r\n{fields}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body
